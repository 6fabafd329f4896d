package org.nelumbo.executor.expr;

import org.nelumbo.executor.row.ColumnType;

/** A function whose value is an object. */
final class ObjectCall extends Expression {
  /** What the function does; obeys the NULL rules of {@link Expression#evalObject}. */
  @FunctionalInterface
  interface Body {
    Object eval(Frame frame, Expression[] arguments);
  }

  private final String name;
  private final Body body;
  private final Expression[] arguments;

  ObjectCall(String name, ColumnType type, Body body, Expression... arguments) {
    super(type);
    this.name = name;
    this.body = body;
    this.arguments = arguments;
  }

  @Override
  public Object evalObject(Frame frame) {
    return body.eval(frame, arguments);
  }

  @Override
  public boolean isConstant() {
    return arguments.length > 0 && Calls.allConstant(arguments);
  }

  @Override
  public String toString() {
    return Calls.call(name, arguments);
  }
}
