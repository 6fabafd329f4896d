package org.nelumbo.executor.expr;

/** A comparison of two floating-point numbers. */
final class DoubleComparison extends Comparison {
  DoubleComparison(CompareOp op, Expression left, Expression right) {
    super(op, left, right);
  }

  @Override
  public long evalLong(Frame frame) {
    long a = left.evalLong(frame);
    if (frame.isNull) {
      return 0;
    }
    long b = right.evalLong(frame);
    int order =
        RawValueOrder.compareDoubles(Double.longBitsToDouble(a), Double.longBitsToDouble(b));
    return op.holds(order) ? 1 : 0;
  }
}
