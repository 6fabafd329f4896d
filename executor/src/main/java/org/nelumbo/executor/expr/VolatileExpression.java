package org.nelumbo.executor.expr;

/** An expression that depends on the execution (time, zone), and is therefore never a constant. */
final class VolatileExpression extends Expression {
  private final Expression operand;

  VolatileExpression(Expression operand) {
    super(operand.type());
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
  public String toString() {
    return operand.toString();
  }
}
