package org.nelumbo.executor.expr;

import java.util.Comparator;

/** Compares two values that are objects. */
final class ObjectComparison extends Expression {
  private final CompareOp op;
  private final Expression left;
  private final Expression right;
  private final Comparator<Object> order;

  ObjectComparison(CompareOp op, Expression left, Expression right, Comparator<Object> order) {
    super(Calls.booleanOf(left, right));
    this.op = op;
    this.left = left;
    this.right = right;
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

  @Override
  public boolean isConstant() {
    return left.isConstant() && right.isConstant();
  }

  @Override
  public String toString() {
    return Calls.infix(left, op.symbol(), right);
  }
}
