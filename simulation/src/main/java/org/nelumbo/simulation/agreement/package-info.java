/**
 * Simulated agreement: proposers that come, go and die, acceptors that stop, return and lose their
 * memory, and a network that does to messages what networks do.
 */
package org.nelumbo.simulation.agreement;
