/**
 * Simulated locks on many compute nodes: transactions that lock and commit, compute nodes that
 * pause, fail and return, shards that move, and an unreliable network.
 */
package org.nelumbo.simulation.locks;
