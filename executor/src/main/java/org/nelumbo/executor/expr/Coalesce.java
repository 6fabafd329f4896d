package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/** COALESCE: the first operand that is not NULL; later operands are not evaluated. */
final class Coalesce extends Expression {
  private final Expression[] operands;

  /** Creates a COALESCE. All operands have the representation of {@code type}. */
  Coalesce(ColumnType type, Expression... operands) {
    super(type.withNullable(allNullable(operands)));
    this.operands = operands;
  }

  private static boolean allNullable(Expression... operands) {
    for (Expression operand : operands) {
      if (!operand.type().nullable()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long evalLong(Frame frame) {
    for (Expression operand : operands) {
      long value = operand.evalLong(frame);
      if (!frame.takeNull()) {
        return value;
      }
    }
    return frame.nullLong();
  }

  @Override
  public Object evalObject(Frame frame) {
    for (Expression operand : operands) {
      Object value = operand.evalObject(frame);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  @Override
  public boolean isConstant() {
    return FunctionSupport.allConstant(operands);
  }

  @Override
  public String toString() {
    return FunctionSupport.call("COALESCE", operands);
  }
}
