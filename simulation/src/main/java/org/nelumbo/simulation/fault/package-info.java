/**
 * Faults: coordinators and compute nodes that stop or pause, memory nodes that fail, verbs that are
 * late or lost, clocks that are wrong.
 *
 * <p>{@link org.nelumbo.simulation.fault.FaultPlan} and {@link
 * org.nelumbo.simulation.fault.CrashPlan} say what may go wrong, {@link
 * org.nelumbo.simulation.fault.FaultInjector} does it, at times and {@link
 * org.nelumbo.simulation.fault.StopPoint}s drawn from the seed, and {@link
 * org.nelumbo.simulation.fault.FaultCounts} counts it. Faults come in through the seams of the
 * world and the fabric that production code has, too. Only faults are injected that the system
 * promises to survive.
 */
package org.nelumbo.simulation.fault;
