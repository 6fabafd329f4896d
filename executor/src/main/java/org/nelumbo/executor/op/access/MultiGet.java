package org.nelumbo.executor.op.access;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.TableAccess;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.Transaction;

/**
 * Reads the rows with given primary keys (an IN list, an OR of keys), each once, in a constant
 * number of round trips per batch.
 */
public final class MultiGet extends AccessOperator implements PrefetchableAccess {
  private static final int BATCH = 256;

  private final TableStore table;
  private final Expression[][] keys;
  private final LockMode lockMode;
  private final KeyExpressions[] keySets;
  private final KeyBuffer buffer = new KeyBuffer();
  private final BytesHashTable seen = new BytesHashTable();
  private Frame frame;
  private Transaction transaction;
  private Transaction batchOf;
  private PointBatch batch;
  private int nextKey;
  private int batchSize;
  private int position;

  /**
   * Creates a get of the rows with given primary keys.
   *
   * @param row frame row to fill
   * @param keys for each key, a value for each primary key column
   * @param lockMode {@code LockMode.READ} or {@code WRITE}
   */
  public MultiGet(TableStore table, int row, Expression[][] keys, LockMode lockMode) {
    super(row);
    this.table = table;
    this.keys = keys;
    this.lockMode = lockMode;
    this.keySets = new KeyExpressions[keys.length];
    for (int i = 0; i < keys.length; i++) {
      keySets[i] = new KeyExpressions(table.layout().keyFormat(), keys[i]);
    }
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    if (batchOf != newTransaction) {
      batch = newTransaction.newPointBatch();
      batchOf = newTransaction;
    }
    seen.clear();
    nextKey = 0;
    batchSize = 0;
    position = 0;
  }

  @Override
  public boolean next() {
    while (true) {
      while (position < batchSize) {
        int i = position++;
        if (batch.found(i)) {
          batch.row(i, frame.row(row));
          return true;
        }
      }
      if (nextKey == keySets.length) {
        return false;
      }
      fill();
    }
  }

  private void fill() {
    batch.clear();
    batchSize = 0;
    position = 0;
    while (nextKey < keySets.length && batchSize < BATCH) {
      buffer.clear();
      boolean possible = keySets[nextKey++].appendAll(frame, buffer);
      if (possible && seen.add(buffer.bytes, 0, buffer.length)) {
        table.layout().finishKey(buffer);
        batch.add(table, buffer);
        batchSize++;
      }
    }
    if (batchSize > 0) {
      OutcomeChecks.requireOk(transaction, batch.execute(lockMode), table);
    }
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return this;
  }

  @Override
  public void collectPrefetch(Frame present, Transaction reader, ReadAhead ahead, int most) {
    for (int i = 0; i < Math.min(most, keySets.length); i++) {
      buffer.clear();
      if (keySets[i].appendAll(present, buffer)) {
        table.layout().finishKey(buffer);
        ahead.add(table, buffer);
      }
    }
  }

  @Override
  public void close() {
    nextKey = keySets.length;
    batchSize = 0;
    position = 0;
  }

  @Override
  public Operator copy(Copier copier) {
    return new MultiGet(table, row, keys, lockMode);
  }

  @Override
  public TableAccess tableAccess() {
    return TableAccess.byKey(table);
  }

  @Override
  public String explain() {
    String[] columns = ExplainFormat.keyColumns(table.schema());
    String first = keys.length == 0 ? "" : Arrays.toString(columns);
    StringBuilder text = new StringBuilder("MultiGet(" + table.schema() + first + " IN ");
    for (int i = 0; i < Math.min(keys.length, 8); i++) {
      text.append(i == 0 ? "" : ", ").append('(').append(ExplainFormat.list(keys[i])).append(')');
    }
    return text.append(keys.length > 8 ? ", ... " + keys.length + " keys" : "")
        .append(ExplainFormat.lock(lockMode))
        .append(')')
        .toString();
  }
}
