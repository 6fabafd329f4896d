package org.nelumbo.executor.op.core;

import java.util.Arrays;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * Takes the rows of an operator in batches, and reads together what is going to be read for each of
 * them: by the right side of a join, or by the checks of a change. Used where round trips are
 * expensive. Batches grow, so that a query that stops early has not read (and locked) much in vain.
 */
public final class PrefetchingSource {
  public static final int FIRST_BATCH = 8;
  private static final int LARGEST_BATCH = 64;

  private final Operator source;
  private final int mostEach;
  private final int firstBatch;
  private final MaterializedRows[] saved;
  private final ReadAhead ahead;
  private final Transaction transaction;

  /** Of each row, how much had been added when its part was. */
  private final int[] ends;

  private PrefetchableAccess following;
  private Frame frame;

  /** The frame may still show a row of the batch before, so that two take turns. */
  private int turn;

  private int batchLimit;
  private int position;
  private boolean sourceDone;

  /**
   * Rows of an operator.
   *
   * @param mostEach rows that are worth reading ahead for each of them
   * @param firstBatch how many are taken at first
   */
  public PrefetchingSource(
      Operator source, int mostEach, int firstBatch, Frame frame, Transaction transaction) {
    this.source = source;
    this.mostEach = mostEach;
    this.firstBatch = firstBatch;
    this.ends = new int[Math.max(firstBatch, LARGEST_BATCH)];
    this.transaction = transaction;
    this.ahead = transaction.newReadAhead();
    this.saved = new MaterializedRows[2];
    Arrays.setAll(saved, _ -> new MaterializedRows(source.output(), frame, "a join"));
  }

  /** Whether it was made for a transaction, and can be used there only. */
  public boolean belongsTo(Transaction other) {
    return transaction == other;
  }

  /** Starts with the first row; the operator has been opened. */
  public void open(PrefetchableAccess first, Frame newFrame) {
    following = first;
    frame = newFrame;
    clear();
    ahead.open();
    batchLimit = firstBatch;
    sourceDone = false;
  }

  /** Goes to the next row, which the frame then shows, and for which everything has been read. */
  public boolean next() {
    if (position == saved[turn].size()) {
      if (sourceDone) {
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
      OutcomeChecks.requireOk(transaction, ahead.fetch());
    }
    return true;
  }

  private void fill() {
    turn = 1 - turn;
    MaterializedRows rows = saved[turn];
    rows.clear();
    ahead.clear();
    position = 0;
    while (rows.size() < batchLimit && !ahead.isFull()) {
      if (!source.next()) {
        sourceDone = true;
        break;
      }
      int row = rows.add(frame);
      following.collectPrefetch(frame, transaction, ahead, mostEach);
      ends[row] = ahead.size();
    }
    following.batchComplete();
    batchLimit = Math.min(ends.length, 2 * batchLimit);
  }

  private void clear() {
    saved[0].release();
    saved[1].release();
    position = 0;
  }

  /** Ends it; the operator is closed by the caller. */
  public void close() {
    ahead.close();
    clear();
    sourceDone = true;
  }
}
