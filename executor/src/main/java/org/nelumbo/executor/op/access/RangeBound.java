package org.nelumbo.executor.op.access;

import org.nelumbo.executor.expr.Expression;

/** One end of a range of values of a column: {@code column > value} or {@code >=}, or mirrored. */
public record RangeBound(Expression value, boolean inclusive) {}
