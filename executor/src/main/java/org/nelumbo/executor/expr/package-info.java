/**
 * Typed expressions over raw values.
 *
 * <p>An {@link org.nelumbo.executor.expr.Expression} is an immutable, thread-safe tree that is
 * shared by all executions of a plan. The state of an evaluation is in the {@link
 * org.nelumbo.executor.expr.Frame} of one execution: the current rows of operators, computed slots,
 * the time of the statement, and access to its {@link org.nelumbo.types.ParameterSet}. Column
 * references read single fields of these rows; fields that are not used are not decoded.
 *
 * <h2>Entry points</h2>
 *
 * The planner creates trees with factories, which check types, select the class by type and fold
 * constants: {@link org.nelumbo.executor.expr.Expressions} (leaves, comparisons, logic, CASE),
 * {@link org.nelumbo.executor.expr.NumericFunctions}, {@link
 * org.nelumbo.executor.expr.TextFunctions}, {@link org.nelumbo.executor.expr.DatetimeFunctions},
 * {@link org.nelumbo.executor.expr.Casts}, and the factories of less common functions. The node
 * classes are not public, except column and slot references.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>Values are raw, see {@link org.nelumbo.types.Kind}: a {@code long} or an object. The
 *       evaluation of a {@code long} does not box.
 *   <li>NULL of a {@code long} is represented by a flag of the frame. It is false when an
 *       evaluation begins, and the consumer of a NULL clears it.
 *   <li>A strict function returns as soon as the flag is set; AND, OR, CASE and COALESCE may leave
 *       operands unevaluated.
 *   <li>A parameter value is stored only in the parameter set, from the setter of the driver to the
 *       expression. It stays there when the statement is planned again.
 *   <li>Exact arithmetic never wraps or rounds silently: a value that does not fit fails with
 *       22003, division by zero with 22012. A constant expression that fails is not folded, but
 *       fails when it is executed.
 * </ul>
 */
package org.nelumbo.executor.expr;
