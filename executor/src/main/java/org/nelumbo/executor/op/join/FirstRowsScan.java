package org.nelumbo.executor.op.join;

import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.txn.Transaction;

/** Reads the left rows of an {@link AdaptiveJoin}, for the method of joining that it has chosen. */
public final class FirstRowsScan extends Operator {
  private final FrameFields output;
  private final int slot;
  private FirstRows rows;

  /**
   * Creates a scan of the left rows.
   *
   * @param output fields that show the rows
   * @param slot slot in which the rows are found
   */
  public FirstRowsScan(FrameFields output, int slot) {
    this.output = output;
    this.slot = slot;
  }

  @Override
  public void open(Frame frame, Transaction transaction) {
    rows = (FirstRows) frame.slotObject(slot);
  }

  @Override
  public boolean next() {
    return rows != null && rows.next();
  }

  @Override
  public void close() {
    rows = null;
  }

  @Override
  public Operator copy(Copier copier) {
    return new FirstRowsScan(output, slot);
  }

  @Override
  public FrameFields output() {
    return output;
  }

  @Override
  public String explain() {
    return "FirstRowsScan";
  }

  @Override
  public List<Operator> children() {
    return List.of();
  }
}
