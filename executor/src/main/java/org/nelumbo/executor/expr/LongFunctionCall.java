package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/** A function whose value is a {@code long}. */
final class LongFunctionCall extends FunctionCall {
  /** What the function does; obeys the NULL rules of {@link Expression#evalLong}. */
  @FunctionalInterface
  interface Body {
    long eval(Frame frame, Expression[] arguments);
  }

  private final Body body;

  LongFunctionCall(String name, ColumnType type, Body body, Expression... arguments) {
    super(name, type, arguments);
    this.body = body;
  }

  @Override
  public long evalLong(Frame frame) {
    return body.eval(frame, arguments);
  }
}
