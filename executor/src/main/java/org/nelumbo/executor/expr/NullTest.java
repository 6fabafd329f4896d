package org.nelumbo.executor.expr;

/** IS NULL and IS NOT NULL; never NULL itself. */
final class NullTest extends Expression {
  private final Expression operand;
  private final boolean negated;

  NullTest(Expression operand, boolean negated) {
    super(FunctionSupport.booleanOf());
    this.operand = operand;
    this.negated = negated;
  }

  @Override
  public long evalLong(Frame frame) {
    return operand.isNull(frame) != negated ? 1 : 0;
  }

  @Override
  public boolean isTrue(Frame frame) {
    return operand.isNull(frame) != negated;
  }

  @Override
  public boolean isConstant() {
    return operand.isConstant();
  }

  @Override
  public String toString() {
    return operand + (negated ? " IS NOT NULL" : " IS NULL");
  }
}
