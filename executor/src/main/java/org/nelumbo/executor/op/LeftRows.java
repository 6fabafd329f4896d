package org.nelumbo.executor.op;

import java.util.Arrays;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * The rows of a join's left side where round trips are dear: collected in batches, so that what the
 * right side begins with for each row of a batch is read together. Batches grow, so that a query
 * that stops early has not read (and locked) much in vain.
 */
final class LeftRows {
  static final int FIRST_BATCH = 8;
  private static final int LARGEST_BATCH = 64;

  private final Operator left;
  private final int mostEach;
  private final int firstBatch;
  private final SavedRows[] saved;
  private final ReadAhead ahead;
  private final Transaction transaction;

  /** Of each row, how much had been added when its part was. */
  private final int[] ends;

  private Foreseen right;
  private Frame frame;

  /** The frame may still show a row of the batch before, so that two take turns. */
  private int turn;

  private int batchLimit;
  private int position;
  private boolean leftDone;

  /**
   * Rows for a join.
   *
   * @param mostEach rows of the right side that are worth reading ahead for a row of the left side
   * @param firstBatch left rows that are taken at first
   */
  LeftRows(Operator left, int mostEach, int firstBatch, Frame frame, Transaction transaction) {
    this.left = left;
    this.mostEach = mostEach;
    this.firstBatch = firstBatch;
    this.ends = new int[Math.max(firstBatch, LARGEST_BATCH)];
    this.transaction = transaction;
    this.ahead = transaction.newReadAhead();
    this.saved = new SavedRows[2];
    Arrays.setAll(saved, _ -> new SavedRows(left.output(), frame.shape()));
  }

  /** Whether it can be used in a transaction. */
  boolean isOf(Transaction other) {
    return transaction == other;
  }

  /** Starts with the first row; the left side has been opened. */
  void open(Foreseen first, Frame newFrame) {
    right = first;
    frame = newFrame;
    clear();
    ahead.open();
    batchLimit = firstBatch;
    leftDone = false;
  }

  /** Goes to the next row, which the frame then shows, and for which the right side may begin. */
  boolean next() {
    if (position == saved[turn].size()) {
      if (leftDone) {
        return false;
      }
      fill();
      if (saved[turn].size() == 0) {
        return false;
      }
    }
    saved[turn].restore(position, frame);
    int end = ends[position++];
    while (ahead.covered() < end) {
      Failures.check(transaction, ahead.fetch());
    }
    return true;
  }

  private void fill() {
    turn = 1 - turn;
    SavedRows rows = saved[turn];
    rows.clear();
    ahead.clear();
    position = 0;
    while (rows.size() < batchLimit && !ahead.isFull()) {
      if (!left.next()) {
        leftDone = true;
        break;
      }
      int row = rows.add(frame);
      right.foresee(frame, ahead, mostEach);
      ends[row] = ahead.size();
    }
    right.complete();
    batchLimit = Math.min(ends.length, 2 * batchLimit);
  }

  private void clear() {
    saved[0].clear();
    saved[1].clear();
    position = 0;
  }

  /** Ends it; the left side is closed by the caller. */
  void close() {
    ahead.close();
    clear();
    leftDone = true;
  }
}
