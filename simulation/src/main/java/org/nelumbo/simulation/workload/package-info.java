/**
 * The workloads of the clients in a scenario, and their checks of the rows they see.
 *
 * <p>A {@link org.nelumbo.simulation.workload.Workload} loads the table, creates a {@link
 * org.nelumbo.simulation.workload.WorkloadClient} for each session, and checks the final rows. Each
 * has an invariant that any lost, doubled or half-visible write breaks: a constant sum ({@link
 * org.nelumbo.simulation.workload.BankWorkload}), equal halves ({@link
 * org.nelumbo.simulation.workload.MirrorWorkload}), orders with all their lines ({@link
 * org.nelumbo.simulation.workload.OrdersWorkload}), rows that only their owner writes ({@link
 * org.nelumbo.simulation.workload.OwnedRowsWorkload}). Or it records a history for the checkers
 * ({@link org.nelumbo.simulation.workload.RecordedWorkload}).
 *
 * <p>A client makes its random choices from the stream given to it. All clients of a run share one
 * carrier.
 */
package org.nelumbo.simulation.workload;
