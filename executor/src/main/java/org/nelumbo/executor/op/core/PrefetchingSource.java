package org.nelumbo.executor.op.core;

import java.util.Arrays;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * Takes the rows of an operator in batches, and reads ahead the data that the following operation
 * needs for each of them: the right side of a join, or the checks of a change. Used where round
 * trips are expensive. Batches grow, so that a query that stops early has not read (and locked)
 * much in vain.
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

  /** For each row, the size of the read-ahead list after the row's accesses were added. */
  private final int[] ends;

  private PrefetchableAccess following;
  private Frame frame;

  /** The frame may still show a row of the previous batch, so two buffers alternate. */
  private int turn;

  private int batchLimit;
  private int position;
  private boolean sourceDone;

  /**
   * Creates a source of the rows of an operator.
   *
   * @param mostEach number of rows that are worth reading ahead for each of them
   * @param firstBatch size of the first batch
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

  /**
   * Returns true if this source was created for the given transaction, the only one that can use
   * it.
   */
  public boolean belongsTo(Transaction other) {
    return transaction == other;
  }

  /** Starts with the first row of the operator, which is already open. */
  public void open(PrefetchableAccess first, Frame newFrame) {
    following = first;
    frame = newFrame;
    clear();
    ahead.open();
    batchLimit = firstBatch;
    sourceDone = false;
  }

  /**
   * Moves to the next row, which the frame then shows, and for which all data has been read ahead.
   */
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

  /** Ends the source; the caller closes the operator. */
  public void close() {
    ahead.close();
    clear();
    sourceDone = true;
  }
}
