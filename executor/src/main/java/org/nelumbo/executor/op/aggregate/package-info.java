/**
 * Aggregation: GROUP BY and the aggregate functions, also over windows.
 *
 * <p>{@link org.nelumbo.executor.op.aggregate.HashAggregate} groups rows in any order, as a {@link
 * org.nelumbo.executor.op.aggregate.Grouping} says. One {@link
 * org.nelumbo.executor.op.aggregate.Accumulator} per call holds the state of all groups, which are
 * numbered from 0, in primitive arrays. {@link org.nelumbo.executor.op.aggregate.Accumulators}
 * chooses it by function and type; DISTINCT and FILTER wrap another one.
 *
 * <p>{@link org.nelumbo.executor.op.aggregate.Window} computes window functions of rows that are
 * sorted by partition and order; its aggregates are the same accumulators with one group.
 *
 * <p>Sums of exact numbers are exact, whatever their order; sums of floating-point numbers are
 * compensated. Order of calls: {@code ensure} for a new group, {@code add} for each row, {@code
 * emit} into a slot.
 */
package org.nelumbo.executor.op.aggregate;
