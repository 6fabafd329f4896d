package org.nelumbo.executor.expr;

/** Negation; NULL stays NULL. */
final class Not extends Expression {
  private final Expression operand;

  Not(Expression operand) {
    super(operand.type());
    this.operand = operand;
  }

  @Override
  public long evalLong(Frame frame) {
    return operand.evalLong(frame) ^ 1;
  }

  @Override
  public boolean isConstant() {
    return operand.isConstant();
  }

  @Override
  public String toString() {
    return "NOT " + operand;
  }
}
