/**
 * Typed expressions over raw values.
 *
 * <p>An {@link org.nelumbo.executor.expr.Expression} is an immutable, thread-safe tree, shared by
 * all executions of a plan. All state of an evaluation is in the {@link
 * org.nelumbo.executor.expr.Frame} of one execution: the rows that operators stand on, computed
 * slots, the time of the statement, and the way to its {@link org.nelumbo.types.ParameterSet}.
 * Column references read single fields of these rows; nothing is decoded that is not used.
 *
 * <h2>Entry points</h2>
 *
 * The planner makes trees by factories, which check types, choose the class by type and fold
 * constants: {@link org.nelumbo.executor.expr.Expressions} (leaves, comparisons, logic, CASE),
 * {@link org.nelumbo.executor.expr.NumericFunctions}, {@link
 * org.nelumbo.executor.expr.TextFunctions}, {@link org.nelumbo.executor.expr.DatetimeFunctions} and
 * {@link org.nelumbo.executor.expr.Casts}. The classes of nodes are not public.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>Values are raw, see {@link org.nelumbo.types.ColumnType}: a {@code long} or an object.
 *       Evaluation of a {@code long} boxes nothing.
 *   <li>NULL of a {@code long} is a flag of the frame. It is false when an evaluation begins, and
 *       whoever consumes a NULL clears it.
 *   <li>A strict function returns as soon as the flag is set; AND, OR, CASE and COALESCE may leave
 *       operands unevaluated.
 *   <li>A value lies in the parameter set once, from the setter of the driver to the expression. It
 *       stays there when the statement is planned again.
 *   <li>Exact arithmetic never wraps or rounds silently: what does not fit is 22003, division by
 *       zero 22012. A constant that fails is not folded; it fails when it is executed.
 * </ul>
 */
package org.nelumbo.executor.expr;
