package org.nelumbo.planner.access;

import java.util.Iterator;
import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.SystemView;

/** An operator that reads the rows of a system view as they are when it is opened. */
final class SystemViewScan extends Operator {
  private final SystemView view;
  private final int[] slots;
  private Frame frame;
  private Iterator<Object[]> rows;

  SystemViewScan(SystemView view, int[] slots) {
    this.view = view;
    this.slots = slots;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    rows = view.rows().get().iterator();
  }

  @Override
  public boolean next() {
    if (rows == null || !rows.hasNext()) {
      return false;
    }
    Object[] row = rows.next();
    for (int i = 0; i < slots.length; i++) {
      if (row[i] == null) {
        frame.setSlotNull(slots[i]);
      } else if (row[i] instanceof Long number) {
        frame.setSlotLong(slots[i], number);
      } else {
        frame.setSlotObject(slots[i], row[i]);
      }
    }
    return true;
  }

  @Override
  public void close() {
    rows = null;
  }

  @Override
  public Operator copy(Copier copier) {
    return new SystemViewScan(view, slots);
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofSlots(slots);
  }

  @Override
  public String explain() {
    return "SystemView(" + view.schemaName() + "." + view.name() + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of();
  }
}
