package org.nelumbo.executor.op.join;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.access.KeyExpressions;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.TableAccess;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.Transaction;

/**
 * Joins each row of the left side with the row of a table that has the primary key computed from
 * it. Left rows are collected in batches, each of which costs a constant number of round trips.
 * Batches grow, so that a query that stops early has not read (and locked) much in vain.
 */
public final class LookupJoin extends Operator {
  private static final int FIRST_BATCH = 8;
  private static final int LARGEST_BATCH = 128;
  private static final int NO_KEY = -1;

  private final Operator left;
  private final Lookup lookup;
  private final TableStore table;
  private final int row;
  private final JoinType joinType;
  private final Expression condition;
  private final KeyExpressions key;
  private final KeyBuffer buffer = new KeyBuffer();
  private final int[] gets = new int[LARGEST_BATCH];
  private Frame frame;
  private Transaction transaction;
  private Transaction batchOf;
  private PointBatch batch;

  /** The frame may still show a row of the previous batch, so two buffers alternate. */
  private MaterializedRows rows;

  private MaterializedRows formerRows;
  private int batchLimit;
  private int position;
  private boolean leftDone;

  /**
   * The rows to look up.
   *
   * @param row frame row to fill
   * @param keys expressions over the left row, one for each primary key column of the table
   * @param lockMode {@code LockMode.READ} or {@code WRITE}
   */
  public record Lookup(TableStore table, int row, Expression[] keys, LockMode lockMode) {}

  /**
   * Creates a lookup join.
   *
   * @param joinType INNER, LEFT, SEMI or ANTI
   * @param condition additional condition, or null
   */
  public LookupJoin(Operator left, Lookup lookup, JoinType joinType, Expression condition) {
    KeyFormat format = lookup.table.layout().keyFormat();
    if (joinType.keepsRight() || lookup.keys.length != format.size()) {
      throw new IllegalArgumentException("kind=" + joinType + " keys=" + lookup.keys.length);
    }
    this.left = left;
    this.lookup = lookup;
    this.table = lookup.table;
    this.row = lookup.row;
    this.joinType = joinType;
    this.condition = condition;
    this.key = new KeyExpressions(format, lookup.keys);
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    if (batchOf != newTransaction) {
      batch = newTransaction.newPointBatch();
      batchOf = newTransaction;
    }
    if (rows == null) {
      rows = new MaterializedRows(left.output(), newFrame, "a join");
      formerRows = new MaterializedRows(left.output(), newFrame, "a join");
    }
    rows.clear();
    batchLimit = FIRST_BATCH;
    position = 0;
    leftDone = false;
    left.open(newFrame, newTransaction);
  }

  @Override
  public boolean next() {
    while (true) {
      while (position < rows.size()) {
        frame.limits().work(1);
        if (show(position++)) {
          return true;
        }
      }
      if (leftDone) {
        return false;
      }
      fill();
    }
  }

  private boolean show(int i) {
    rows.restore(i, frame);
    boolean found = gets[i] != NO_KEY && batch.found(gets[i]);
    if (found) {
      batch.row(gets[i], frame.row(row));
      found = condition == null || condition.isTrue(frame);
    }
    return switch (joinType) {
      case INNER, SEMI -> found;
      case ANTI -> !found;
      default -> {
        if (!found) {
          frame.clearRow(row);
        }
        yield true;
      }
    };
  }

  private void fill() {
    MaterializedRows full = rows;
    rows = formerRows;
    formerRows = full;
    rows.clear();
    batch.clear();
    position = 0;
    while (rows.size() < batchLimit) {
      if (!left.next()) {
        leftDone = true;
        break;
      }
      addKey(rows.add(frame));
    }
    batchLimit = Math.min(LARGEST_BATCH, 2 * batchLimit);
    if (batch.size() > 0) {
      OutcomeChecks.requireOk(transaction, batch.execute(lookup.lockMode), table);
    }
  }

  private void addKey(int i) {
    buffer.clear();
    if (key.appendAll(frame, buffer)) {
      table.layout().finishKey(buffer);
      gets[i] = batch.add(table, buffer);
    } else {
      gets[i] = NO_KEY;
    }
  }

  @Override
  public void collectHints(Frame present, PrefetchHints prefetchHints) {
    left.collectHints(present, prefetchHints);
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return left.leadingAccess();
  }

  @Override
  public void close() {
    left.close();
    leftDone = true;
    position = 0;
    if (rows != null) {
      rows.release();
      formerRows.release();
    }
  }

  @Override
  public Operator copy(Copier copier) {
    return new LookupJoin(copier.copy(left), lookup, joinType, condition);
  }

  @Override
  public FrameFields output() {
    return joinType.showsRight() ? left.output().union(FrameFields.ofRow(row)) : left.output();
  }

  @Override
  public TableAccess tableAccess() {
    return TableAccess.byKey(table);
  }

  @Override
  public String explain() {
    return "LookupJoin("
        + joinType
        + ", "
        + table.schema()
        + KeyExpressions.explain(ExplainFormat.keyColumns(table.schema()), lookup.keys)
        + (condition == null ? "" : ", " + condition)
        + ExplainFormat.lock(lookup.lockMode)
        + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of(left);
  }
}
