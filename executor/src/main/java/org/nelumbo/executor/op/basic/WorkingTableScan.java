package org.nelumbo.executor.op.basic;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.txn.Transaction;

/** Reads the rows of the previous step of a {@link RecursiveUnion}. */
public final class WorkingTableScan extends Operator {
  private final int table;
  private final Expression[] columns;
  private final int[] slots;
  private Frame frame;
  private MaterializedRows rows;
  private int position;

  /**
   * Creates a scan of a working table.
   *
   * @param table slot that holds the working table
   * @param columns slots in which its rows are saved, as expressions
   * @param slots slots that show the rows, with the same types
   */
  public WorkingTableScan(int table, Expression[] columns, int[] slots) {
    this.table = table;
    this.columns = columns;
    this.slots = slots;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    rows = (MaterializedRows) newFrame.slotObject(table);
    position = 0;
  }

  @Override
  public boolean next() {
    if (rows == null || position >= rows.size()) {
      return false;
    }
    rows.restore(position++, frame);
    for (int i = 0; i < slots.length; i++) {
      frame.setSlot(slots[i], columns[i]);
    }
    return true;
  }

  @Override
  public void close() {
    rows = null;
  }

  @Override
  public Operator copy(Copier copier) {
    return new WorkingTableScan(table, columns, slots);
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofSlots(slots);
  }

  @Override
  public String explain() {
    return "WorkingTable";
  }

  @Override
  public List<Operator> children() {
    return List.of();
  }
}
