package org.nelumbo.executor.op.modify;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * Checks the constraints of the rows that a statement writes or deletes: each row after its change,
 * or all rows after the last change. Not thread-safe.
 */
final class RowChecks {
  private final RowConstraint[] constraints;

  private final FrameFields shown;

  private final boolean last;
  private Frame frame;
  private Transaction transaction;

  private MaterializedRows unchecked;

  /**
   * Creates the checks of a statement.
   *
   * @param shown rows of the frame that the constraints refer to
   * @param last true if rows are checked after all have been changed
   */
  RowChecks(RowConstraint[] constraints, FrameFields shown, boolean last) {
    this.constraints = constraints;
    this.shown = shown;
    this.last = last;
  }

  /** Returns true if the check of a row depends on other rows of the table. */
  static boolean depend(RowConstraint[] constraints, TableStore table) {
    for (RowConstraint constraint : constraints) {
      if (constraint.dependsOn(table)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if rows are checked after all have been changed. */
  boolean areLast() {
    return last;
  }

  void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    release();
  }

  /**
   * Checks the frame's row, either now or in {@link #finish}.
   *
   * @param prefetched true if the read-ahead took place after the row had been locked
   */
  void check(boolean prefetched) {
    if (!last) {
      RowConstraint.checkAll(constraints, frame, transaction, prefetched);
      return;
    }
    if (unchecked == null) {
      unchecked = new MaterializedRows(shown, frame, "checks of constraints");
    }
    unchecked.add(frame);
  }

  /** Performs the postponed checks, after all rows have been changed. */
  void finish() {
    if (unchecked == null) {
      return;
    }
    for (int i = 0; i < unchecked.size(); i++) {
      frame.limits().work(1);
      unchecked.restore(i, frame);
      RowConstraint.checkAll(constraints, frame, transaction);
    }
    unchecked.release();
  }

  void close() {
    release();
    RowConstraint.closeAll(constraints);
  }

  private void release() {
    if (unchecked != null) {
      unchecked.release();
    }
  }
}
