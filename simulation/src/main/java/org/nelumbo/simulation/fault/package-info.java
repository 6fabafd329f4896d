/**
 * Faults: coordinators and compute nodes that stop or pause, memory nodes that fail, verbs that are
 * late or lost. They come in through the seams of the world and the fabric, are counted, and what a
 * stopped coordinator leaves behind can be listed exactly.
 */
package org.nelumbo.simulation.fault;
