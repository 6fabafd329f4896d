package org.nelumbo.executor.op.basic;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.txn.Transaction;

/**
 * Evaluates expressions into slots, once for each row of the child. Needed only for values that are
 * used more than once, that must fail when the row is read, or that an outer join may make NULL.
 */
public final class Projection extends UnaryOperator {
  private final Expression[] expressions;
  private final int[] slots;
  private Frame frame;

  /**
   * Creates a projection of the child's rows.
   *
   * @param slots slot of each expression, with its type
   */
  public Projection(Operator child, Expression[] expressions, int[] slots) {
    super(child);
    assert expressions.length == slots.length : "slots=" + slots.length;
    this.expressions = expressions;
    this.slots = slots;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    child.open(newFrame, transaction);
  }

  @Override
  public boolean next() {
    if (!child.next()) {
      return false;
    }
    for (int i = 0; i < slots.length; i++) {
      frame.setSlot(slots[i], expressions[i]);
    }
    return true;
  }

  @Override
  public Operator copy(Copier copier) {
    return new Projection(copier.copy(child), expressions, slots);
  }

  @Override
  public FrameFields output() {
    return child.output().union(FrameFields.ofSlots(slots));
  }

  @Override
  public String explain() {
    return "Project(" + ExplainFormat.list(expressions) + ")";
  }
}
