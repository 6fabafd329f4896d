package org.nelumbo.executor.expr;

import java.util.Comparator;

/** A comparison of two values of object types. */
final class ObjectComparison extends Comparison {
  private final Comparator<Object> order;

  ObjectComparison(CompareOp op, Expression left, Expression right, Comparator<Object> order) {
    super(op, left, right);
    this.order = order;
  }

  @Override
  public long evalLong(Frame frame) {
    Object a = left.evalObject(frame);
    Object b = a == null ? null : right.evalObject(frame);
    if (b == null) {
      return frame.nullLong();
    }
    return op.holds(order.compare(a, b)) ? 1 : 0;
  }
}
