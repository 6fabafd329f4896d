package org.nelumbo.executor.op.basic;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.spill.RowFile;
import org.nelumbo.executor.txn.Transaction;

/**
 * The rows of a query that several others read. It is run when the first of them asks, once in an
 * execution. Rows beyond the statement's memory are written to a temporary file. Not thread-safe.
 */
final class SharedRows {
  private final Operator query;
  private final Expression[] columns;
  private final int[] slots;
  private Frame frame;
  private Transaction transaction;
  private boolean read;
  private MaterializedRows rows;

  /** The rows for which there was no memory; null if there are none. */
  private RowFile file;

  /**
   * Rows that nobody has asked for.
   *
   * @param columns of the query, an expression for each slot, of the slot's type
   * @param slots in which the rows are saved
   */
  SharedRows(Operator query, Expression[] columns, int[] slots) {
    this.query = query;
    this.columns = columns;
    this.slots = slots;
  }

  /** Begins an execution: the query has not been run. */
  void begin(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
  }

  /** Runs the query, if nobody has asked before. */
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

  /** How many rows are in memory. */
  int inMemory() {
    return rows.size();
  }

  /** Makes the slots show a row that is in memory. */
  void show(int row) {
    rows.restore(row, frame);
  }

  /** A reader of the rows that come after those in memory; null if there are none. */
  RowFile newReader() {
    return file == null ? null : file.newReader();
  }

  /** Ends an execution, and forgets the rows. */
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
