/**
 * The contract of operators, and components shared by operators of several kinds.
 *
 * <p>A plan is a tree of {@link org.nelumbo.executor.op.core.Operator}s. The other packages of
 * {@code op} contain the kinds: {@code access} reads tables, {@code basic} filters, computes and
 * sorts, {@code join} and {@code aggregate} combine rows, {@code modify} writes them, and {@code
 * spill} keeps rows in temporary files.
 *
 * <h2>Order of calls</h2>
 *
 * {@code open}, {@code next} until it returns false or the caller stops, {@code close}; then {@code
 * open} again. {@code close} may be called at any time, also after an exception. An operator holds
 * its definition and the state of one execution. A cached plan holds a prototype that is never
 * opened; {@code copy} gives each execution its own tree. Used by one thread at a time.
 *
 * <h2>Rows are not passed</h2>
 *
 * The current row of an operator is the state of the {@link org.nelumbo.executor.expr.Frame}:
 * access operators let a frame row refer to a row image, others fill slots. The columns of an
 * operator are expressions over these, which the planner substitutes into the operators above.
 * Filters, limits and joins therefore copy nothing, and a column is decoded when it is used.
 * Operators that keep rows (sort, hash join, batches) save and restore the frame state of their
 * child as bytes, in {@link org.nelumbo.executor.op.core.MaterializedRows}; the expressions above
 * stay the same.
 *
 * <h2>Rules for the planner</h2>
 *
 * <ul>
 *   <li>Each access operator has its own frame row, and each computed value that is materialized
 *       has its own slot.
 *   <li>Below the side of an outer join that may be missing, columns are slots, or column
 *       references created with {@link org.nelumbo.executor.expr.ColumnReference#whereAbsent};
 *       these become NULL with the row. All other values pass through a projection first.
 * </ul>
 *
 * <h2>Round trips</h2>
 *
 * On a remote fabric an operator exposes the keys that it reads first, see {@link
 * org.nelumbo.executor.op.core.PrefetchableAccess}, so that {@link
 * org.nelumbo.executor.op.core.PrefetchingSource} reads them for many rows at once. Prefetching
 * changes only the number of round trips, not the result. Operators on the path of a point query
 * make no garbage per row.
 */
package org.nelumbo.executor.op.core;
