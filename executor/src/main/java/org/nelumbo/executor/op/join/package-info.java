/**
 * Joins, of three kinds:
 *
 * <ul>
 *   <li>{@link org.nelumbo.executor.op.join.HashJoin}: equal values, or no keys at all. The right
 *       side is kept in memory, or in files if it is too large. It is the only one that supports
 *       RIGHT and FULL joins.
 *   <li>{@link org.nelumbo.executor.op.join.LookupJoin}: the left row determines the primary key of
 *       the right row. A batch of left rows costs a constant number of round trips.
 *   <li>{@link org.nelumbo.executor.op.join.NestedLoopIndexJoin}: opens the right side for each
 *       left row, whose values it reads from the frame: index ranges and correlated subqueries.
 * </ul>
 *
 * <p>Batches of left rows start small and grow, so that a query that stops early has not read (and
 * locked) much in vain.
 */
package org.nelumbo.executor.op.join;
