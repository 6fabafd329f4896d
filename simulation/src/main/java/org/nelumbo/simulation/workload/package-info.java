/**
 * What clients do in a scenario, and how they know that what they see is right.
 *
 * <p>A {@link org.nelumbo.simulation.workload.Workload} loads the table, makes a {@link
 * org.nelumbo.simulation.workload.WorkloadClient} for each session, and checks the whole at the
 * end. Each has an invariant that any lost, doubled or half-visible write breaks: a constant sum
 * ({@link org.nelumbo.simulation.workload.BankWorkload}), equal halves ({@link
 * org.nelumbo.simulation.workload.MirrorWorkload}), orders with all their lines ({@link
 * org.nelumbo.simulation.workload.OrdersWorkload}), rows that only their owner writes ({@link
 * org.nelumbo.simulation.workload.OwnedRowsWorkload}); or it records a history for the checkers
 * ({@link org.nelumbo.simulation.workload.RecordedWorkload}).
 *
 * <p>Random choices come from the stream that a client is given. All clients of a run share one
 * carrier.
 */
package org.nelumbo.simulation.workload;
