package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/** An expression with another type whose raw values are the same. */
final class RelabelType extends Expression {
  private final Expression operand;

  RelabelType(ColumnType type, Expression operand) {
    super(type);
    this.operand = operand;
  }

  @Override
  public long evalLong(Frame frame) {
    return operand.evalLong(frame);
  }

  @Override
  public Object evalObject(Frame frame) {
    return operand.evalObject(frame);
  }

  @Override
  public boolean isNull(Frame frame) {
    return operand.isNull(frame);
  }

  @Override
  public boolean isConstant() {
    return operand.isConstant();
  }

  @Override
  public String toString() {
    return operand.toString();
  }
}
