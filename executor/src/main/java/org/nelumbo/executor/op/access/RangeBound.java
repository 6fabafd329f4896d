package org.nelumbo.executor.op.access;

import org.nelumbo.executor.expr.Expression;

/**
 * A bound of a range of values of a column: {@code column > value} or {@code >=}, or the mirror
 * images.
 *
 * @param inclusive true if the range contains the value itself
 */
public record RangeBound(Expression value, boolean inclusive) {}
