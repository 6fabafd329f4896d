package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/** A function call whose body evaluates all arguments itself. */
abstract class FunctionCall extends Expression {
  final Expression[] arguments;
  private final String name;

  FunctionCall(String name, ColumnType type, Expression[] arguments) {
    super(type);
    this.name = name;
    this.arguments = arguments;
  }

  @Override
  public final boolean isConstant() {
    return arguments.length > 0 && FunctionSupport.allConstant(arguments);
  }

  @Override
  public final String toString() {
    return FunctionSupport.call(name, arguments);
  }
}
