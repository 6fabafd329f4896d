package org.nelumbo.executor.expr;

/** Compares two numbers of one type that are ordered as {@code long}s. */
final class LongComparison extends Expression {
  private final CompareOp op;
  private final Expression left;
  private final Expression right;

  LongComparison(CompareOp op, Expression left, Expression right) {
    super(Calls.booleanOf(left, right));
    this.op = op;
    this.left = left;
    this.right = right;
  }

  @Override
  public long evalLong(Frame frame) {
    long a = left.evalLong(frame);
    if (frame.isNull) {
      return 0;
    }
    long b = right.evalLong(frame);
    return op.holds(a, b) ? 1 : 0;
  }

  @Override
  public boolean isTrue(Frame frame) {
    long a = left.evalLong(frame);
    if (frame.takeNull()) {
      return false;
    }
    long b = right.evalLong(frame);
    return !frame.takeNull() && op.holds(a, b);
  }

  @Override
  public boolean isConstant() {
    return left.isConstant() && right.isConstant();
  }

  @Override
  public String toString() {
    return Calls.infix(left, op.symbol(), right);
  }
}
