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
 * The rows that an UPDATE or DELETE is about to change, one after the other, and the constraints
 * that each has to meet then. Where round trips are expensive, and constraints look into other
 * tables, rows are taken from the source in batches, and what the checks of a batch will read is
 * read together; each row is then changed and checked in its turn, as it would be by itself.
 *
 * <p>Where the constraints of a row depend on other rows of the table, or change rows that the
 * source is still to read, all rows are changed first, and then checked. Not thread-safe.
 */
final class ModifySource {
  private static final int BATCH = 64;

  /** Rows of a batch where other tables are read as a whole. */
  private static final int SCAN_BATCH = 1024;

  private final Operator source;
  private final RowConstraint[] constraints;
  private final RowChecks rowChecks;

  /** Makes the frame show the row as it will be. */
  private final Runnable preparation;

  private final PrefetchableAccess checks = new Checks();
  private Frame frame;
  private Transaction transaction;

  /** Null unless rows are taken in batches, in this run. */
  private PrefetchingSource batches;

  private PrefetchingSource keptBatches;

  /** What the checks of a batch begin with. */
  private final class Checks implements PrefetchableAccess {
    @Override
    public void collectPrefetch(Frame present, Transaction reader, ReadAhead ahead, int most) {
      preparation.run();
      for (RowConstraint constraint : constraints) {
        constraint.collectPrefetch(present, reader, ahead);
      }
    }

    /**
     * The rows are locked: a transaction that makes a row refer to one of them has done so, and its
     * index entry is there, or it waits for the lock. So what is read from now on shows the entry;
     * what was read before may not.
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
   * A source of rows of a table.
   *
   * @param shown what shows a row that has been changed, and what it was
   * @param preparation makes the frame show a row as it will be
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

  /** Null if no two things would be read together. */
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

  /** Goes to the next row, which the frame then shows; false after the last. */
  boolean next() {
    return batches == null ? source.next() : batches.next();
  }

  /** Reads together what the checks of the row that the frame shows will read, without a source. */
  void prefetchOne() {
    if (batches != null) {
      source.open(frame, transaction);
      batches.open(checks, frame);
      batches.next();
    }
  }

  /**
   * Checks the row that the frame shows, which has been changed; now, or when all are.
   *
   * @param last whether it is the one that the source showed last
   */
  void check(boolean last) {
    rowChecks.check(last && batches != null);
  }

  /** Checks the rows of which that was put off: all rows have been changed. */
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
