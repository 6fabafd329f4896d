package org.nelumbo.executor.expr;

/** IS [NOT] TRUE and IS [NOT] FALSE; never NULL itself. */
final class TruthTest extends Expression {
  private final Expression operand;
  private final boolean truth;
  private final boolean negated;

  TruthTest(Expression operand, boolean truth, boolean negated) {
    super(FunctionSupport.booleanOf());
    this.operand = operand;
    this.truth = truth;
    this.negated = negated;
  }

  @Override
  public long evalLong(Frame frame) {
    long value = operand.evalLong(frame);
    boolean holds = !frame.takeNull() && value != 0 == truth;
    return holds != negated ? 1 : 0;
  }

  @Override
  public boolean isConstant() {
    return operand.isConstant();
  }

  @Override
  public String toString() {
    return operand + (negated ? " IS NOT " : " IS ") + (truth ? "TRUE" : "FALSE");
  }
}
