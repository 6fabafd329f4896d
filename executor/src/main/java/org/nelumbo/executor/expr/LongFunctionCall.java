package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/** A function call whose value is a {@code long}. */
final class LongFunctionCall extends FunctionCall {
  /** The body of the function, which follows the NULL rules of {@link Expression#evalLong}. */
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
