package org.nelumbo.executor.op.basic;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.spill.RowFile;
import org.nelumbo.executor.txn.Transaction;

/**
 * Reads the rows of a query of {@link SharedQueries}; several scans may read them at the same time.
 */
public final class SharedQueryScan extends Operator {
  private final String name;
  private final int index;
  private final Expression[] saved;
  private final int[] slots;
  private Frame frame;
  private SharedRows rows;
  private int position;

  private RowFile reader;

  /**
   * Creates a scan of the rows.
   *
   * @param name name of the query
   * @param index slot in which the rows are found
   * @param saved slots in which the rows are saved, as expressions
   * @param slots slots that show the rows, with the same types
   */
  public SharedQueryScan(String name, int index, Expression[] saved, int[] slots) {
    this.name = name;
    this.index = index;
    this.saved = saved;
    this.slots = slots;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    rows = (SharedRows) newFrame.slotObject(index);
    rows.read();
    position = 0;
    reader = null;
  }

  @Override
  public boolean next() {
    if (rows == null || !nextSaved()) {
      return false;
    }
    frame.limits().work(1);
    for (int i = 0; i < slots.length; i++) {
      frame.setSlot(slots[i], saved[i]);
    }
    return true;
  }

  private boolean nextSaved() {
    if (position < rows.inMemory()) {
      rows.show(position++);
      return true;
    }
    if (reader == null) {
      reader = rows.newReader();
    }
    if (reader == null || !reader.next()) {
      return false;
    }
    reader.show(frame);
    return true;
  }

  @Override
  public void close() {
    rows = null;
    reader = null;
  }

  @Override
  public Operator copy(Copier copier) {
    return new SharedQueryScan(name, index, saved, slots);
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofSlots(slots);
  }

  @Override
  public String explain() {
    return "SharedQueryScan(" + name + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of();
  }
}
