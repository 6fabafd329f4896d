package org.nelumbo.executor.expr;

/** Compares two floating-point numbers. */
final class DoubleComparison extends Expression {
  private final CompareOp op;
  private final Expression left;
  private final Expression right;

  DoubleComparison(CompareOp op, Expression left, Expression right) {
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
    int order = RawOrder.compareDoubles(Double.longBitsToDouble(a), Double.longBitsToDouble(b));
    return op.holds(order) ? 1 : 0;
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
