package org.nelumbo.executor.op.basic;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.spill.RowFile;
import org.nelumbo.executor.txn.Transaction;

/**
 * The rows of a query with several readers. The query runs once per execution, when the first
 * reader requests its rows. Rows beyond the statement's memory are written to a temporary file. Not
 * thread-safe.
 */
final class SharedRows {
  private final Operator query;
  private final Expression[] columns;
  private final int[] slots;
  private Frame frame;
  private Transaction transaction;
  private boolean read;
  private MaterializedRows rows;

  private RowFile file;

  /**
   * Creates the rows of a query that has not run yet.
   *
   * @param columns expression of the query for each slot, with the slot's type
   * @param slots slots in which the rows are saved
   */
  SharedRows(Operator query, Expression[] columns, int[] slots) {
    this.query = query;
    this.columns = columns;
    this.slots = slots;
  }

  /** Begins an execution, in which the query has not run yet. */
  void begin(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
  }

  /** Runs the query, unless it has run already. */
  void read() {
    if (read) {
      return;
    }
    if (rows == null) {
      rows = new MaterializedRows(FrameFields.ofSlots(slots), frame, "a query in WITH");
    }
    query.open(frame, transaction);
    while (query.next()) {
      frame.limits().work(1);
      for (int i = 0; i < slots.length; i++) {
        frame.setSlot(slots[i], columns[i]);
      }
      add();
    }
    query.close();
    if (file != null) {
      file.rewind();
    }
    read = true;
  }

  private void add() {
    if (file == null && !rows.tryAdd(frame)) {
      file = new RowFile(FrameFields.ofSlots(slots), frame);
    }
    if (file != null) {
      file.write(frame);
    }
  }

  /** Returns the number of rows in memory. */
  int inMemory() {
    return rows.size();
  }

  /** Restores a row in memory to the slots. */
  void show(int row) {
    rows.restore(row, frame);
  }

  /** Returns a reader of the rows after those in memory, or null if there are none. */
  RowFile newReader() {
    return file == null ? null : file.newReader();
  }

  /** Ends an execution and discards the rows. */
  void end() {
    query.close();
    read = false;
    if (rows != null) {
      rows.release();
    }
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
