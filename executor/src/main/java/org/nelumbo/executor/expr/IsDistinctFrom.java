package org.nelumbo.executor.expr;

/** IS [NOT] DISTINCT FROM: a comparison in which NULL equals NULL; never NULL itself. */
final class IsDistinctFrom extends Expression {
  private final Expression left;
  private final Expression right;
  private final Expression equal;
  private final boolean negated;

  /**
   * Creates a test for two distinct values.
   *
   * @param equal the comparison {@code left = right}
   */
  IsDistinctFrom(Expression left, Expression right, Expression equal, boolean negated) {
    super(FunctionSupport.booleanOf());
    this.left = left;
    this.right = right;
    this.equal = equal;
    this.negated = negated;
  }

  @Override
  public long evalLong(Frame frame) {
    boolean leftNull = left.isNull(frame);
    boolean rightNull = right.isNull(frame);
    boolean same = leftNull || rightNull ? leftNull == rightNull : equal.isTrue(frame);
    return same == negated ? 1 : 0;
  }

  @Override
  public boolean isConstant() {
    return equal.isConstant();
  }

  @Override
  public String toString() {
    return FunctionSupport.infix(
        left, negated ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM", right);
  }
}
