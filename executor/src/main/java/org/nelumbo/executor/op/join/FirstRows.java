package org.nelumbo.executor.op.join;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.txn.Transaction;

/** The rows of an operator, of which the first ones have been read in advance. Not thread-safe. */
final class FirstRows {
  private final Operator source;
  private MaterializedRows rows;

  /** The row for which there was no memory, if any. */
  private MaterializedRows last;

  private Frame frame;
  private int position;
  private boolean isComplete;

  FirstRows(Operator source) {
    this.source = source;
  }

  /**
   * Opens the operator and reads its first rows. Returns true if there are no others.
   *
   * @param limit number of rows to read; fewer if the statement has no memory for them
   */
  boolean read(Frame newFrame, Transaction transaction, int limit) {
    frame = newFrame;
    if (rows == null) {
      rows = new MaterializedRows(source.output(), newFrame, "a join");
      last = MaterializedRows.uncounted(source.output(), newFrame);
    }
    rows.clear();
    last.clear();
    position = 0;
    isComplete = false;
    source.open(newFrame, transaction);
    while (rows.size() < limit && last.size() == 0) {
      newFrame.limits().work(1);
      if (!source.next()) {
        isComplete = true;
        break;
      }
      if (!rows.tryAdd(newFrame)) {
        last.add(newFrame);
      }
    }
    return isComplete;
  }

  /** Shows the next row; returns false after the last one. */
  boolean next() {
    if (position < rows.size()) {
      rows.restore(position++, frame);
      return true;
    }
    if (position == rows.size() && last.size() > 0) {
      last.restore(0, frame);
      position++;
      return true;
    }
    return !isComplete && source.next();
  }

  void close() {
    source.close();
    isComplete = true;
    if (rows != null) {
      rows.release();
      last.release();
    }
  }
}
