/**
 * Faults: coordinators and compute nodes that stop or pause, memory nodes that fail, verbs that are
 * late or lost, and wrong clocks.
 *
 * <p>{@link org.nelumbo.simulation.fault.FaultPlan} and {@link
 * org.nelumbo.simulation.fault.CrashPlan} define the possible faults. {@link
 * org.nelumbo.simulation.fault.FaultInjector} injects them, at times and {@link
 * org.nelumbo.simulation.fault.StopPoint}s drawn from the seed, and {@link
 * org.nelumbo.simulation.fault.FaultCounts} counts them. Faults are injected through interfaces of
 * the world and the fabric that production code has, too. Only faults are injected that the system
 * promises to survive.
 */
package org.nelumbo.simulation.fault;
