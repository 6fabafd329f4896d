package org.nelumbo.executor.op.access;

import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.TableAccess;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.executor.txn.Transaction;

/**
 * Reads the rows in a range of an ordered index, primary or secondary, in the order of the index or
 * in reverse.
 */
public final class IndexRangeScan extends AccessOperator implements PrefetchableAccess {
  /** Number of rows that are read ahead for a later statement. */
  private static final int ROWS_AHEAD = 64;

  private final IndexStore index;
  private final Definition definition;
  private final KeyRange range;
  private final ScanRange scanRange;
  private Frame frame;
  private Transaction transaction;
  private Transaction scanOf;
  private RangeScan scan;
  private boolean isOpen;

  /**
   * The range of a scan, its direction and its lock mode.
   *
   * @param equals values of the first index columns, see {@link KeyExpressions#isUsable}; a null
   *     element means IS NULL
   * @param lower lower bound of the next column, or null
   * @param upper upper bound of the same column, or null
   * @param ascending true for the order of the index, false for the reverse order
   * @param rowsHint BIGINT expression for the number of rows that will be taken (a FETCH), or null
   *     if unknown
   * @param lockMode {@code LockMode.READ} or {@code WRITE}
   */
  public record Definition(
      Expression[] equals,
      RangeBound lower,
      RangeBound upper,
      boolean ascending,
      Expression rowsHint,
      LockMode lockMode) {
    /** Returns the definition of a scan of the whole index, in its order. */
    public static Definition full(LockMode lockMode) {
      return prefix(new Expression[0], null, lockMode);
    }

    /**
     * Returns the definition of a scan of the entries with these values in the first columns, in
     * the order of the index.
     */
    public static Definition prefix(Expression[] equals, Expression rowsHint, LockMode lockMode) {
      return new Definition(equals, null, null, true, rowsHint, lockMode);
    }
  }

  /**
   * Creates a scan of an ordered index.
   *
   * @param row frame row to fill
   */
  public IndexRangeScan(IndexStore index, int row, Definition definition) {
    super(row);
    this.index = index;
    this.definition = definition;
    this.range = new KeyRange(format(index), definition.equals, definition.lower, definition.upper);
    this.scanRange =
        new ScanRange()
            .direction(ScanDirection.of(definition.ascending))
            .lockMode(definition.lockMode);
  }

  /** Returns the types and directions of the columns by which an index can be searched. */
  public static KeyFormat format(IndexStore index) {
    return index.schema() == null ? index.table().layout().keyFormat() : index.encoder().format();
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    close();
    frame = newFrame;
    transaction = newTransaction;
    if (scanOf != newTransaction) {
      scan = newTransaction.newRangeScan();
      scanOf = newTransaction;
    }
    if (!range.compute(newFrame)) {
      return;
    }
    isOpen = true;
    Outcome status =
        scan.open(scanRange.between(index, range.low, range.high).rowsHint(rowsHint(newFrame)));
    OutcomeChecks.requireOk(newTransaction, status, index);
  }

  private int rowsHint(Frame frame) {
    if (definition.rowsHint == null) {
      return 0;
    }
    long hint = definition.rowsHint.evalLong(frame);
    return frame.takeNull() ? 0 : (int) Math.max(0, Math.min(hint, Integer.MAX_VALUE));
  }

  @Override
  public boolean next() {
    if (!isOpen) {
      return false;
    }
    Outcome status = scan.next(frame.row(row));
    if (status == Outcome.OK) {
      return true;
    }
    close();
    return OutcomeChecks.found(transaction, status, index);
  }

  @Override
  public void collectHints(Frame present, PrefetchHints prefetchHints) {
    ReadAhead ranges = prefetchHints.ranges();
    if (ranges != null && range.isGiven()) {
      addRange(present, ranges, ROWS_AHEAD);
    }
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return this;
  }

  @Override
  public void collectPrefetch(Frame present, Transaction reader, ReadAhead ahead, int most) {
    addRange(present, ahead, most);
  }

  private void addRange(Frame present, ReadAhead ahead, int most) {
    if (range.compute(present) && !index.shortens(range.low, range.high)) {
      int hint = rowsHint(present);
      ahead.add(
          index,
          range.low,
          range.high,
          definition.ascending,
          definition.lockMode,
          hint == 0 ? most : Math.min(hint, most));
    }
  }

  @Override
  public void close() {
    if (isOpen) {
      isOpen = false;
      scan.close();
    }
  }

  @Override
  public Operator copy(Copier copier) {
    return new IndexRangeScan(index, row, definition);
  }

  @Override
  public TableAccess tableAccess() {
    TableSchema table = index.table().schema();
    IndexSchema schema = index.schema();
    int[] columns = schema == null ? table.primaryKey() : schema.columns();
    return TableAccess.byScan(index.table(), columns);
  }

  @Override
  public String explain() {
    return "IndexRangeScan("
        + ExplainFormat.index(index)
        + range.explain(ExplainFormat.keyColumns(index))
        + (definition.ascending ? "" : " DESC")
        + (definition.rowsHint == null ? "" : " HINT " + definition.rowsHint)
        + ExplainFormat.lock(definition.lockMode)
        + ")";
  }
}
