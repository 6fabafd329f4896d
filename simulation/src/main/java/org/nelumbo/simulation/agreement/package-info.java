/**
 * Simulated agreement: proposers that start, stop and fail, acceptors that stop, restart and lose
 * their memory, and an unreliable network.
 */
package org.nelumbo.simulation.agreement;
