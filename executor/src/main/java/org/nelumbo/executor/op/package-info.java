/**
 * Operators: what a plan is made of. Pull model: {@code open}, {@code next} until false, {@code
 * close}.
 *
 * <p><b>Rows are not passed, they are stood on.</b> An operator's current row is the state of the
 * {@link org.nelumbo.executor.expr.Frame}: access operators point a frame row at an image, others
 * fill slots; the columns of an operator are expressions over these, which the planner substitutes
 * into what lies above. So filters, projections of plain columns, limits and joins copy nothing,
 * and a column is decoded when (and if) it is used. Operators that must keep rows (sort, hash join,
 * batches) save and restore their child's frame state as bytes, {@link
 * org.nelumbo.executor.op.SavedRows}; the expressions above stay the same.
 *
 * <p>Two rules for the planner:
 *
 * <ul>
 *   <li>Each access operator, and each computed value that is materialised, has its own row or slot
 *       in the plan's frame.
 *   <li>Below the side of an outer join that may be missing, columns must be column references made
 *       {@link org.nelumbo.executor.expr.ColumnReference#whereAbsent} or slots (use {@link
 *       org.nelumbo.executor.op.Project} for anything else): these become NULL with the row.
 * </ul>
 *
 * <p>An operator object holds its definition and the state of one execution. A cached plan holds a
 * prototype that is never opened; {@link org.nelumbo.executor.op.Operator#copy} gives each
 * execution its own. No operator on the point path makes garbage per row.
 */
package org.nelumbo.executor.op;
