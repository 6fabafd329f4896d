package org.nelumbo.executor.op.modify;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * Rows that a statement defers because their primary key changes, or because another row currently
 * has one of their unique values. Uniqueness is checked at the end of a statement: after all other
 * rows have been changed, the old images of the deferred rows are deleted, then the new ones
 * inserted. Not thread-safe.
 */
final class DeferredRows {
  /** In place of the frame row of the old image, for statements that only add rows. */
  static final int NO_ROW = -1;

  private final TableStore table;
  private final int oldRow;
  private final int newRow;
  private final String owner;
  private final KeyBuffer key = new KeyBuffer();
  private Frame frame;
  private Transaction transaction;

  private MaterializedRows rows;

  private int inserted;

  /**
   * Creates an empty set of rows of a table.
   *
   * @param oldRow frame row of the old image, or {@link #NO_ROW}
   * @param newRow frame row of the new image
   * @param owner name of the statement, for messages
   */
  DeferredRows(TableStore table, int oldRow, int newRow, String owner) {
    this.table = table;
    this.oldRow = oldRow;
    this.newRow = newRow;
    this.owner = owner;
  }

  void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    release();
  }

  /** Defers the frame's current row. */
  void add() {
    if (rows == null) {
      FrameFields fields = FrameFields.ofRow(newRow);
      rows =
          new MaterializedRows(
              oldRow == NO_ROW ? fields : FrameFields.ofRow(oldRow).union(fields), frame, owner);
    }
    rows.add(frame);
  }

  /** Deletes the old images. */
  void deleteOld() {
    for (int i = 0; oldRow != NO_ROW && rows != null && i < rows.size(); i++) {
      frame.limits().work(1);
      rows.restore(i, frame);
      table.layout().keyOf(frame.row(oldRow), key);
      OutcomeChecks.found(transaction, transaction.delete(table, key), table, key);
    }
  }

  /**
   * Inserts the next new image, which the frame then shows; returns false if none is left.
   *
   * @throws org.nelumbo.error.NelumboException UNIQUE_VIOLATION if the row is a duplicate
   */
  boolean insertNext() {
    if (rows == null || inserted == rows.size()) {
      return false;
    }
    frame.limits().work(1);
    rows.restore(inserted++, frame);
    RowBuffer image = frame.row(newRow);
    table.layout().keyOf(image, key);
    Outcome status = transaction.insert(table, key, image);
    if (status == Outcome.DUPLICATE) {
      throw ConstraintViolations.duplicate(table, transaction.violatedIndex(), newRow, frame);
    }
    OutcomeChecks.requireOk(transaction, status, table, key);
    return true;
  }

  void release() {
    inserted = 0;
    if (rows != null) {
      rows.release();
    }
  }
}
