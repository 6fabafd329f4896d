package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/** A function call whose value is an object. */
final class ObjectFunctionCall extends FunctionCall {
  /** The body of the function, which follows the NULL rules of {@link Expression#evalObject}. */
  @FunctionalInterface
  interface Body {
    Object eval(Frame frame, Expression[] arguments);
  }

  private final Body body;

  ObjectFunctionCall(String name, ColumnType type, Body body, Expression... arguments) {
    super(name, type, arguments);
    this.body = body;
  }

  @Override
  public Object evalObject(Frame frame) {
    return body.eval(frame, arguments);
  }
}
