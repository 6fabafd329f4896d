package org.nelumbo.executor.op.access;

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
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/** Reads the row with a primary key, if it exists. */
public final class PointGet extends AccessOperator implements PrefetchableAccess {
  private final TableStore table;
  private final Expression[] keys;
  private final LockMode lockMode;
  private final KeyExpressions key;
  private final KeyBuffer buffer = new KeyBuffer();
  private Frame frame;
  private Transaction transaction;
  private boolean done = true;

  /**
   * Creates a get of the row with a primary key.
   *
   * @param row frame row to fill
   * @param keys value of each primary key column, see {@link KeyExpressions#isUsable}
   * @param lockMode {@code LockMode.READ} or {@code WRITE}
   */
  public PointGet(TableStore table, int row, Expression[] keys, LockMode lockMode) {
    super(row);
    if (keys.length != table.layout().keyFormat().size()) {
      throw new IllegalArgumentException("incomplete key table=" + table.schema());
    }
    this.table = table;
    this.keys = keys;
    this.lockMode = lockMode;
    this.key = new KeyExpressions(table.layout().keyFormat(), keys);
  }

  /** Returns the frame row that the operator fills. */
  public int row() {
    return row;
  }

  /** Returns the value of a primary key column, by its position in the key. */
  public Expression key(int position) {
    return keys[position];
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    done = false;
  }

  @Override
  public boolean next() {
    if (done) {
      return false;
    }
    done = true;
    buffer.clear();
    if (!key.appendAll(frame, buffer)) {
      return false;
    }
    table.layout().finishKey(buffer);
    Outcome status = transaction.get(table, buffer, lockMode, frame.row(row));
    return OutcomeChecks.found(transaction, status, table, buffer);
  }

  @Override
  public void collectHints(Frame present, PrefetchHints prefetchHints) {
    if (key.makeGivenKey(table, present, buffer)) {
      prefetchHints.add(table, buffer, false);
    }
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return this;
  }

  @Override
  public void collectPrefetch(Frame present, Transaction reader, ReadAhead ahead, int most) {
    buffer.clear();
    if (key.appendAll(present, buffer)) {
      table.layout().finishKey(buffer);
      ahead.add(table, buffer);
    }
  }

  @Override
  public void close() {
    done = true;
  }

  @Override
  public Operator copy(Copier copier) {
    return new PointGet(table, row, keys, lockMode);
  }

  @Override
  public TableAccess tableAccess() {
    return TableAccess.byKey(table);
  }

  @Override
  public String explain() {
    return "PointGet("
        + table.schema()
        + KeyExpressions.explain(ExplainFormat.keyColumns(table.schema()), keys)
        + ExplainFormat.lock(lockMode)
        + ")";
  }
}
