/**
 * Simulated locks on many compute nodes: transactions that lock and commit, compute nodes that
 * pause, die and return, shards that move, and a network that does to messages what networks do.
 */
package org.nelumbo.simulation.locks;
