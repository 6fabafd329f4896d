package org.nelumbo.executor.expr;

/**
 * Conjunction under three-valued logic: FALSE wins over NULL; later operands may not be evaluated.
 */
final class And extends Expression {
  private final Expression[] operands;

  And(Expression... operands) {
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
      } else if (value == 0) {
        return 0;
      }
    }
    frame.isNull = unknown;
    return 1;
  }

  @Override
  public boolean isTrue(Frame frame) {
    for (Expression operand : operands) {
      if (!operand.isTrue(frame)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean isConstant() {
    return Calls.allConstant(operands);
  }

  @Override
  public String toString() {
    return Calls.join(operands, "AND");
  }
}
