/**
 * Joins, in three kinds.
 *
 * <ul>
 *   <li>{@link org.nelumbo.executor.op.join.HashJoin}: equal values, or no keys at all; the right
 *       side is kept in memory, or in files if it is too large. The only one that does RIGHT and
 *       FULL joins.
 *   <li>{@link org.nelumbo.executor.op.join.LookupJoin}: the left row gives the primary key of the
 *       right row; a batch of left rows costs a constant number of round trips.
 *   <li>{@link org.nelumbo.executor.op.join.NestedLoopIndexJoin}: opens the right side anew for
 *       each left row, whose values it finds in the frame: index ranges and correlated subqueries.
 * </ul>
 *
 * <p>Batches of left rows begin small and grow, so that a query that stops early has not read (and
 * locked) much in vain.
 */
package org.nelumbo.executor.op.join;
