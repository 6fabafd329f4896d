package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/** GREATEST and LEAST: the first of the greatest or least operands; NULL if one operand is NULL. */
final class ExtremeFunction extends Expression {
  private final String name;
  private final Expression[] operands;

  /** 1 for the greatest, -1 for the least. */
  private final int sign;

  /** Creates the function. All operands have the representation of {@code type}. */
  ExtremeFunction(String name, int sign, ColumnType type, Expression... operands) {
    super(type.withNullable(FunctionSupport.anyNullable(operands)));
    this.name = name;
    this.sign = sign;
    this.operands = operands;
  }

  @Override
  public long evalLong(Frame frame) {
    long best = operands[0].evalLong(frame);
    if (frame.isNull) {
      return best;
    }
    for (int i = 1; i < operands.length; i++) {
      long next = operands[i].evalLong(frame);
      if (frame.isNull) {
        return next;
      }
      if (sign * RawValueOrder.compareLongs(type(), best, next) < 0) {
        best = next;
      }
    }
    return best;
  }

  @Override
  public Object evalObject(Frame frame) {
    Object best = operands[0].evalObject(frame);
    for (int i = 1; i < operands.length && best != null; i++) {
      Object next = operands[i].evalObject(frame);
      if (next == null || sign * RawValueOrder.compareObjects(type(), best, next) < 0) {
        best = next;
      }
    }
    return best;
  }

  @Override
  public boolean isConstant() {
    return FunctionSupport.allConstant(operands);
  }

  @Override
  public String toString() {
    return FunctionSupport.call(name, operands);
  }
}
