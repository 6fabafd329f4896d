/**
 * Typed expressions over raw values.
 *
 * <p>An {@link org.nelumbo.executor.expr.Expression} is an immutable, thread-safe tree; all state
 * of an evaluation is in the {@link org.nelumbo.executor.expr.Frame}: parameters, the rows that the
 * operators are standing on, computed slots, the statement's time. Column references read single
 * fields of these rows; nothing is decoded that is not used. Trees are made by the factories {@link
 * org.nelumbo.executor.expr.Expressions}, {@link org.nelumbo.executor.expr.NumericFunctions},
 * {@link org.nelumbo.executor.expr.TextFunctions}, {@link
 * org.nelumbo.executor.expr.DatetimeFunctions} and {@link org.nelumbo.executor.expr.Casts}.
 */
package org.nelumbo.executor.expr;
