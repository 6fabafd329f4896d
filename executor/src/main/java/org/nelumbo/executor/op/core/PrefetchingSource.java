package org.nelumbo.executor.op.core;

import java.util.Arrays;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * The rows of a join's left side where round trips are dear: collected in batches, so that what the
 * right side begins with for each row of a batch is read together. Batches grow, so that a query
 * that stops early has not read (and locked) much in vain.
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
   * Rows for a join.
   *
   * @param mostEach rows of the right side that are worth reading ahead for a row of the left side
   * @param firstBatch left rows that are taken at first
   */
  public PrefetchingSource(
      Operator left, int mostEach, int firstBatch, Frame frame, Transaction transaction) {
    this.source = left;
    this.mostEach = mostEach;
    this.firstBatch = firstBatch;
    this.ends = new int[Math.max(firstBatch, LARGEST_BATCH)];
    this.transaction = transaction;
    this.ahead = transaction.newReadAhead();
    this.saved = new MaterializedRows[2];
    Arrays.setAll(saved, _ -> new MaterializedRows(left.output(), frame.layout()));
  }

  /** Whether it can be used in a transaction. */
  public boolean belongsTo(Transaction other) {
    return transaction == other;
  }

  /** Starts with the first row; the left side has been opened. */
  public void open(PrefetchableAccess first, Frame newFrame) {
    following = first;
    frame = newFrame;
    clear();
    ahead.open();
    batchLimit = firstBatch;
    sourceDone = false;
  }

  /** Goes to the next row, which the frame then shows, and for which the right side may begin. */
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
      following.collectPrefetch(frame, ahead, mostEach);
      ends[row] = ahead.size();
    }
    following.batchComplete();
    batchLimit = Math.min(ends.length, 2 * batchLimit);
  }

  private void clear() {
    saved[0].clear();
    saved[1].clear();
    position = 0;
  }

  /** Ends it; the left side is closed by the caller. */
  public void close() {
    ahead.close();
    clear();
    sourceDone = true;
  }
}
