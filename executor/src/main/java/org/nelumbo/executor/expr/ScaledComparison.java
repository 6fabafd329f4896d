package org.nelumbo.executor.expr;

import org.nelumbo.types.Decimals;

/**
 * A comparison of two exact numbers with different scales, both {@code long}s, computed exactly in
 * 128 bits.
 */
final class ScaledComparison extends Comparison {
  private final long leftFactor;
  private final long rightFactor;

  ScaledComparison(CompareOp op, Expression left, Expression right) {
    super(op, left, right);
    int scale = Math.max(left.type().scale(), right.type().scale());
    this.leftFactor = Decimals.power(scale - left.type().scale());
    this.rightFactor = Decimals.power(scale - right.type().scale());
  }

  @Override
  public long evalLong(Frame frame) {
    long a = left.evalLong(frame);
    if (frame.isNull) {
      return 0;
    }
    long b = right.evalLong(frame);
    return op.holds(order(a, b)) ? 1 : 0;
  }

  private int order(long a, long b) {
    int high = Long.compare(Math.multiplyHigh(a, leftFactor), Math.multiplyHigh(b, rightFactor));
    return high != 0 ? high : Long.compareUnsigned(a * leftFactor, b * rightFactor);
  }
}
