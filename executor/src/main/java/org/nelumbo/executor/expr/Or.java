package org.nelumbo.executor.expr;

/**
 * Disjunction under three-valued logic: TRUE wins over NULL; later operands may not be evaluated.
 */
final class Or extends Expression {
  private final Expression[] operands;

  Or(Expression... operands) {
    super(Calls.booleanOf(operands));
    this.operands = operands;
  }

  @Override
  public long evalLong(Frame frame) {
    boolean unknown = false;
    for (Expression operand : operands) {
      long value = operand.evalLong(frame);
      if (frame.takeNull()) {
        unknown = true;
      } else if (value != 0) {
        return 1;
      }
    }
    frame.isNull = unknown;
    return 0;
  }

  @Override
  public boolean isTrue(Frame frame) {
    for (Expression operand : operands) {
      if (operand.isTrue(frame)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isConstant() {
    return Calls.allConstant(operands);
  }

  @Override
  public String toString() {
    return Calls.join(operands, "OR");
  }
}
