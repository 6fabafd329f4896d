/**
 * Operators that do not read tables: filter, projection, limit, sort, duplicate elimination, set
 * operations, spool, shared and recursive queries, constant rows.
 *
 * <p>The planner calls the constructors of the operators. Operators with one child extend {@link
 * org.nelumbo.executor.op.core.UnaryOperator}. {@link org.nelumbo.executor.op.basic.RowSort},
 * {@link org.nelumbo.executor.op.basic.Spool}, {@link org.nelumbo.executor.op.basic.Distinct},
 * {@link org.nelumbo.executor.op.basic.SetOperation} and {@link
 * org.nelumbo.executor.op.basic.SharedQueries} write rows beyond the statement's memory to
 * temporary files; {@link org.nelumbo.executor.op.basic.RecursiveUnion} fails with 53200. The text
 * of EXPLAIN keeps the SQL names: {@code Filter}, {@code Project}, {@code Sort}, {@code Values},
 * {@code Union}.
 */
package org.nelumbo.executor.op.basic;
