/**
 * What runs of single protocols have in common: a world for each seed, without an engine, and a
 * command that goes through the seeds.
 */
package org.nelumbo.simulation.protocol;
