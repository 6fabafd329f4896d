package org.nelumbo.executor.op.basic;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.txn.Transaction;

/** Returns rows of expressions, evaluated into slots. Without rows it is the empty relation. */
public final class ValuesScan extends Operator {
  private final Expression[][] rows;
  private final int[] slots;
  private Frame frame;
  private int position;

  /**
   * Creates a relation of given rows.
   *
   * @param rows for each row, an expression for each slot, with the slot's type
   */
  public ValuesScan(Expression[][] rows, int[] slots) {
    this.rows = rows;
    this.slots = slots;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    position = 0;
  }

  @Override
  public boolean next() {
    if (position >= rows.length) {
      return false;
    }
    Expression[] row = rows[position++];
    for (int i = 0; i < slots.length; i++) {
      frame.setSlot(slots[i], row[i]);
    }
    return true;
  }

  @Override
  public boolean readsNothing() {
    return true;
  }

  @Override
  public void close() {
    position = rows.length;
  }

  @Override
  public Operator copy(Copier copier) {
    return new ValuesScan(rows, slots);
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofSlots(slots);
  }

  @Override
  public String explain() {
    return rows.length == 1
        ? "Values(" + ExplainFormat.list(rows[0]) + ")"
        : "Values(" + rows.length + " rows)";
  }

  @Override
  public List<Operator> children() {
    return List.of();
  }
}
