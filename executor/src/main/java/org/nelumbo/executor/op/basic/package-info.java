/**
 * Operators that read no table: filter, projection, limit, sort, duplicate elimination, set
 * operations, spool, queries that several others read, constant rows.
 *
 * <p>Entry points are the operators' constructors, which the planner calls. Those with one child
 * extend {@link org.nelumbo.executor.op.core.UnaryOperator}. {@link
 * org.nelumbo.executor.op.basic.RowSort} and {@link org.nelumbo.executor.op.basic.Spool} keep all
 * the rows they need in memory, at most 2 GiB of them (53200 beyond); nothing is written to disk.
 * Text of EXPLAIN keeps the SQL names: {@code Filter}, {@code Project}, {@code Sort}, {@code
 * Values}, {@code Union}.
 */
package org.nelumbo.executor.op.basic;
