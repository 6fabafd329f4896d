/** Messages between simulated nodes: delayed, lost, doubled, reordered, cut off one way. */
package org.nelumbo.simulation.message;
