package org.nelumbo.executor.op;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * The rows that an UPDATE or DELETE is about to change, one after the other, and the constraints
 * that each has to meet then. Where round trips are dear, and constraints look into other tables,
 * rows are taken from the source in batches, and what the checks of a batch will read is read
 * together; each row is then changed and checked in its turn, as it would be by itself. Not
 * thread-safe.
 */
final class ChangedRows {
  private static final int BATCH = 64;

  /** Rows of a batch where other tables are read as a whole. */
  private static final int SCAN_BATCH = 1024;

  private final Operator source;
  private final RowConstraint[] constraints;

  /** Makes the frame show the row as it will be. */
  private final Runnable preparation;

  private final Foreseen checks = new Checks();
  private Frame frame;
  private Transaction transaction;

  /** Null unless rows are taken in batches, in this run. */
  private LeftRows batches;

  private LeftRows keptBatches;

  /** What the checks of a batch begin with. */
  private final class Checks implements Foreseen {
    @Override
    public void foresee(Frame present, ReadAhead ahead, int most) {
      preparation.run();
      for (RowConstraint constraint : constraints) {
        constraint.foresee(present, ahead);
      }
    }

    /**
     * The rows are locked: who makes a row refer to one of them has done it, and his index entry is
     * there, or waits for its lock. So what is read from now on shows it, what is older may not.
     */
    @Override
    public void complete() {
      transaction.forgetReadAhead();
      for (RowConstraint constraint : constraints) {
        constraint.complete(frame, transaction);
      }
    }
  }

  ChangedRows(Operator source, RowConstraint[] constraints, Runnable preparation) {
    this.source = source;
    this.constraints = constraints;
    this.preparation = preparation;
  }

  void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    source.open(newFrame, newTransaction);
    batches = newTransaction.readsAhead() ? openBatches() : null;
  }

  private int count(RowConstraint.Foresight foresight) {
    int count = 0;
    for (RowConstraint constraint : constraints) {
      count += constraint.foresight() == foresight ? 1 : 0;
    }
    return count;
  }

  /** Null if no two things would be read together. */
  private LeftRows openBatches() {
    boolean single = source instanceof PointGet;
    int reads = count(RowConstraint.Foresight.READS);
    int scans = single ? 0 : count(RowConstraint.Foresight.SCAN);
    int values = single ? 0 : count(RowConstraint.Foresight.VALUES);
    if (reads + scans + values == 0 || (single && reads == 1)) {
      return null;
    }
    if (keptBatches == null || !keptBatches.isOf(transaction)) {
      int size = reads == 0 && scans > 0 ? SCAN_BATCH : BATCH;
      keptBatches = new LeftRows(source, 0, size, frame, transaction);
    }
    keptBatches.open(checks, frame);
    return keptBatches;
  }

  /** Goes to the next row, which the frame then shows; false after the last. */
  boolean next() {
    return batches == null ? source.next() : batches.next();
  }

  /** Checks the row that was shown last, and has been changed. */
  void check() {
    RowConstraint.checkAll(constraints, frame, transaction, batches != null);
  }

  void close() {
    if (batches != null) {
      batches.close();
      batches = null;
    }
    source.close();
    RowConstraint.closeAll(constraints);
  }
}
