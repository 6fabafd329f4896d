package org.nelumbo.executor.op.modify;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.access.PointGet;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.PrefetchingSource;
import org.nelumbo.executor.op.core.TableAccess;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * The rows that an UPDATE or DELETE changes one after the other, and the constraints that are then
 * checked for each. Where round trips are expensive, and constraints read other tables, rows are
 * taken from the source in batches, and the data for the checks of a batch is read together. Each
 * row is then changed and checked individually, as without batches.
 *
 * <p>If the constraints of a row depend on other rows of the table, or change rows that the source
 * has yet to read, all rows are changed first, and then checked. Not thread-safe.
 */
final class ModifySource {
  private static final int BATCH = 64;

  /** Size of a batch if other tables are read as a whole. */
  private static final int SCAN_BATCH = 1024;

  private final Operator source;
  private final RowConstraint[] constraints;
  private final RowChecks rowChecks;

  /** Shows the new image of the row in the frame. */
  private final Runnable preparation;

  private final PrefetchableAccess checks = new Checks();
  private Frame frame;
  private Transaction transaction;

  private PrefetchingSource batches;

  private PrefetchingSource keptBatches;

  private final class Checks implements PrefetchableAccess {
    @Override
    public void collectPrefetch(Frame present, Transaction reader, ReadAhead ahead, int most) {
      preparation.run();
      for (RowConstraint constraint : constraints) {
        constraint.collectPrefetch(present, reader, ahead);
      }
    }

    /**
     * Called when the rows of the batch are locked. A transaction that makes a row refer to one of
     * them has either done so, and its index entry exists, or it waits for the lock. Reads after
     * this point therefore see the entry; earlier ones may not, and are discarded.
     */
    @Override
    public void batchComplete() {
      transaction.discardReadAhead();
      for (RowConstraint constraint : constraints) {
        constraint.batchComplete(frame, transaction);
      }
    }
  }

  /**
   * Creates a source of rows of a table.
   *
   * @param shown rows of the frame that show a changed row and its old image
   * @param preparation shows the new image of a row in the frame
   */
  ModifySource(
      Operator source,
      TableStore table,
      RowConstraint[] constraints,
      FrameFields shown,
      Runnable preparation) {
    this.source = source;
    this.constraints = constraints;
    this.preparation = preparation;
    boolean single = source instanceof PointGet;
    boolean last = !single && (RowChecks.depend(constraints, table) || changesWhatIsRead(source));
    this.rowChecks = new RowChecks(constraints, shown, last);
  }

  private boolean changesWhatIsRead(Operator operator) {
    TableAccess access = operator.tableAccess();
    return (access != null && RowConstraint.anyChanges(constraints, access.table()))
        || operator.children().stream().anyMatch(this::changesWhatIsRead);
  }

  void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    source.open(newFrame, newTransaction);
    rowChecks.open(newFrame, newTransaction);
    batches = newTransaction.readsAhead() && !rowChecks.areLast() ? openBatches() : null;
  }

  private int count(RowConstraint.PrefetchKind prefetchKind) {
    int count = 0;
    for (RowConstraint constraint : constraints) {
      count += constraint.prefetchKind() == prefetchKind ? 1 : 0;
    }
    return count;
  }

  private PrefetchingSource openBatches() {
    boolean single = source instanceof PointGet;
    int reads = count(RowConstraint.PrefetchKind.READS);
    int scans = single ? 0 : count(RowConstraint.PrefetchKind.SCAN);
    int values = single ? 0 : count(RowConstraint.PrefetchKind.VALUES);
    if (reads + scans + values == 0 || (single && reads == 1)) {
      return null;
    }
    if (keptBatches == null || !keptBatches.belongsTo(transaction)) {
      int size = reads == 0 && scans > 0 ? SCAN_BATCH : BATCH;
      keptBatches = new PrefetchingSource(source, 0, size, frame, transaction);
    }
    keptBatches.open(checks, frame);
    return keptBatches;
  }

  /** Moves to the next row, which the frame then shows; returns false after the last. */
  boolean next() {
    return batches == null ? source.next() : batches.next();
  }

  /** Reads ahead the data for the checks of the frame's row, for a change without a source. */
  void prefetchOne() {
    if (batches != null) {
      source.open(frame, transaction);
      batches.open(checks, frame);
      batches.next();
    }
  }

  /**
   * Checks the frame's row, which has been changed, either now or after all rows have been changed.
   *
   * @param last true if the row is the last one that the source returned
   */
  void check(boolean last) {
    rowChecks.check(last && batches != null);
  }

  /** Performs the postponed checks, after all rows have been changed. */
  void checkRest() {
    rowChecks.finish();
  }

  void close() {
    if (batches != null) {
      batches.close();
      batches = null;
    }
    source.close();
    rowChecks.close();
  }
}
