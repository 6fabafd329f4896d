package org.nelumbo.executor.expr;

/** A comparison of two numbers of one type that are ordered as {@code long}s. */
final class LongComparison extends Comparison {
  LongComparison(CompareOp op, Expression left, Expression right) {
    super(op, left, right);
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
}
