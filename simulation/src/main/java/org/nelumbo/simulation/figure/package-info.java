/**
 * Published figures beside the same figures in the model of the network: the systems post the verbs
 * of their papers, without an engine. They show how far the model can be trusted.
 */
package org.nelumbo.simulation.figure;
