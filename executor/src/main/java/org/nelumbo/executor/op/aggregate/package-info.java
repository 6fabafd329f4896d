/**
 * Aggregation: GROUP BY, the aggregate functions, and window functions.
 *
 * <p>{@link org.nelumbo.executor.op.aggregate.HashAggregate} groups rows in any order, as defined
 * by a {@link org.nelumbo.executor.op.aggregate.Grouping}. One {@link
 * org.nelumbo.executor.op.aggregate.Accumulator} per call holds the state of all groups, which are
 * numbered from 0, in primitive arrays. {@link org.nelumbo.executor.op.aggregate.Accumulators}
 * selects it by function and type; the accumulators of DISTINCT and FILTER wrap another one.
 *
 * <p>{@link org.nelumbo.executor.op.aggregate.Window} computes window functions of rows that are
 * sorted by partition and order. Its aggregates use the same accumulators with a single group.
 *
 * <p>Sums of exact numbers are exact and independent of the order; sums of floating-point numbers
 * are compensated. Order of calls: {@code ensure} for a new group, {@code add} for each row, {@code
 * emit} into a slot.
 */
package org.nelumbo.executor.op.aggregate;
