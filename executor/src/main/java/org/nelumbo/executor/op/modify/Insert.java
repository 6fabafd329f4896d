package org.nelumbo.executor.op.modify;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.access.KeyExpressions;
import org.nelumbo.executor.op.basic.SingleRow;
import org.nelumbo.executor.op.core.ConflictLocations;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.ConflictLocation;
import org.nelumbo.executor.txn.InsertBatch;
import org.nelumbo.executor.txn.Transaction;

/**
 * Inserts a row for each row of its source, and shows the new row, so that generated keys can be
 * read. A duplicate fails with 23505, is skipped, or is resolved. The rows of a source that may
 * return several are inserted in batches, in few round trips; so are the rows of several
 * executions, see {@link #collect}.
 */
public final class Insert extends Operator implements RowChange {
  private static final int ROWS_TOGETHER = 64;

  private final Operator source;
  private final TableStore table;
  private final int row;
  private final Definition definition;
  private final RowAssignments rowAssignments;
  private final RowConstraint[] constraints;

  /** Null unless ON CONFLICT names a key. */
  private final ConflictResolution resolution;

  private final RowWriter writer;
  private final RowChecks checks;
  private final DeferredRows deferred;
  private final KeyExpressions givenKey;
  private final KeyBuffer key = new KeyBuffer();
  private Frame frame;
  private Transaction transaction;

  /** Rows that are inserted together in transaction {@link #batchOf}; created on first use. */
  private InsertBatch batch;

  private Transaction batchOf;

  private ReadAhead ahead;

  private Transaction aheadOf;

  private int shown;
  private boolean sourceDone;

  /**
   * The columns, values and constraints of an INSERT.
   *
   * @param columns ordinals of the columns that get a value; the other columns get NULL
   * @param values value of each column over the source's row; cast to the column's type here
   * @param constraints constraints of the new row
   * @param resolution resolution for RESOLVE; null otherwise
   * @param generated number of the last columns whose values are computed from the new row
   */
  public record Definition(
      int[] columns,
      Expression[] values,
      RowConstraint[] constraints,
      OnDuplicate onDuplicate,
      ConflictResolution resolution,
      int generated) {
    public Definition(
        int[] columns, Expression[] values, RowConstraint[] constraints, OnDuplicate onDuplicate) {
      this(columns, values, constraints, onDuplicate, null, 0);
    }

    public Definition(int[] columns, Expression[] values) {
      this(columns, values, new RowConstraint[0], OnDuplicate.FAIL);
    }

    /** Returns this definition with the last {@code count} columns computed from the new row. */
    public Definition withGenerated(int count) {
      return new Definition(columns, values, constraints, onDuplicate, resolution, count);
    }
  }

  /** The treatment of a row whose primary key, or unique value, exists already. */
  public enum OnDuplicate {
    /** Fail with 23505. */
    FAIL,
    /** Skip the row silently, as in ON CONFLICT DO NOTHING. */
    SKIP,
    /** Apply a {@link ConflictResolution}, as in ON CONFLICT with a key. */
    RESOLVE
  }

  /**
   * Creates an insert of the rows of a source.
   *
   * @param row frame row that shows the new image
   */
  public Insert(Operator source, TableStore table, int row, Definition definition) {
    this(table, row, definition, Halloween.forInsert(source, table));
  }

  private Insert(TableStore table, int row, Definition definition, Operator source) {
    this.source = source;
    this.table = table;
    this.row = row;
    this.definition = definition;
    this.rowAssignments =
        new RowAssignments(
            table.layout(), definition.columns, definition.values, definition.generated);
    this.constraints = RowConstraint.copy(definition.constraints);
    this.resolution = definition.resolution == null ? null : definition.resolution.copy();
    this.writer = new RowWriter(table.layout());
    boolean last = RowChecks.depend(constraints, table);
    this.checks = new RowChecks(constraints, FrameFields.ofRow(row), last);
    this.deferred = new DeferredRows(table, DeferredRows.NO_ROW, row, "INSERT");
    this.givenKey = source instanceof SingleRow ? givenKey(table, definition) : null;
  }

  /** Returns null if the values are not known before the statement runs. */
  private static KeyExpressions givenKey(TableStore table, Definition definition) {
    KeyFormat format = table.layout().keyFormat();
    Expression[] keys = new Expression[format.size()];
    int found = 0;
    for (int i = 0; i < definition.columns.length; i++) {
      int position = table.layout().keyPosition(definition.columns[i]);
      Expression value = definition.values[i];
      if (position >= 0
          && Expressions.isGiven(value)
          && KeyExpressions.isUsable(format.type(position), value)) {
        keys[position] = value;
        found++;
      }
    }
    return found == keys.length ? new KeyExpressions(format, keys) : null;
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    sourceDone = false;
    source.open(newFrame, newTransaction);
    checks.open(newFrame, newTransaction);
    deferred.open(newFrame, newTransaction);
    if (batch != null) {
      batch.clear();
      shown = 0;
    }
    if (resolution != null) {
      resolution.open(newFrame, newTransaction);
    }
  }

  @Override
  public boolean next() {
    return source instanceof SingleRow || takesDuplicates() ? nextAlone() : nextOfMany();
  }

  private boolean takesDuplicates() {
    return definition.onDuplicate != OnDuplicate.FAIL;
  }

  private void build() {
    writer.begin();
    rowAssignments.write(frame, writer, key, frame.row(row), frame.row(row));
    frame.limits().workOnText(frame.row(row).length);
  }

  private boolean nextOfMany() {
    if (batch == null || shown == batch.size()) {
      startBatch();
      while (batch.size() < ROWS_TOGETHER && source.next()) {
        build();
        batch.add(table, key, frame.row(row));
      }
      insertBatch();
      checkBatch(checks.areLast());
    }
    if (shown == batch.size()) {
      checks.finish();
      return false;
    }
    batch.row(shown++, frame.row(row));
    return true;
  }

  /** Returns true if executions can be collected: each inserts one row. */
  public boolean isCollectable() {
    return source instanceof SingleRow && !takesDuplicates();
  }

  /** Starts to collect the rows of several executions in one transaction. */
  public void startCollection(Frame present, Transaction current) {
    frame = present;
    transaction = current;
    startBatch();
  }

  /** Adds the row of an execution with the present parameters. */
  public void collect() {
    assert batchOf == transaction : "no collection was started in this transaction";
    build();
    batch.add(table, key, frame.row(row));
  }

  /** Inserts the collected rows: all of them, or none if this throws. */
  public void insertCollected() {
    insertBatch();
    checkBatch(false);
    batch.clear();
  }

  private void startBatch() {
    if (batchOf != transaction) {
      batch = transaction.statementInsertBatch();
      batchOf = transaction;
    }
    batch.clear();
    shown = 0;
  }

  private void insertBatch() {
    Outcome status = batch.execute();
    if (status == Outcome.DUPLICATE) {
      batch.row(batch.failedRow(), frame.row(row));
      throw ConstraintViolations.duplicate(table, transaction.violatedIndex(), row, frame);
    } else if (status != Outcome.OK) {
      throw transaction.failure(status, placeInBatch());
    }
  }

  /** Returns the table if the lock is not one of a row. */
  private ConflictLocation placeInBatch() {
    for (int i = 0; i < batch.size(); i++) {
      batch.row(i, frame.row(row));
      table.layout().keyOf(frame.row(row), key);
      if (key.lotusKey == transaction.failedLock()) {
        return ConflictLocations.ofRow(table, key);
      }
    }
    return ConflictLocations.ofTable(table);
  }

  private void checkBatch(boolean last) {
    if (constraints.length == 0) {
      return;
    }
    boolean readsAhead = !last && batch.size() > 1 && transaction.readsAhead();
    try {
      if (readsAhead) {
        readAhead();
      }
      for (int i = 0; i < batch.size(); i++) {
        batch.row(i, frame.row(row));
        if (last) {
          checks.check(false);
        } else {
          RowConstraint.checkAll(constraints, frame, transaction);
        }
      }
    } finally {
      if (readsAhead) {
        ahead.close();
      }
    }
  }

  private void readAhead() {
    if (ahead == null || aheadOf != transaction) {
      ahead = transaction.newReadAhead();
      aheadOf = transaction;
    }
    ahead.open();
    for (int i = 0; i < batch.size(); i++) {
      batch.row(i, frame.row(row));
      for (RowConstraint constraint : constraints) {
        constraint.collectPrefetch(frame, transaction, ahead);
      }
    }
    while (ahead.covered() < ahead.size()) {
      OutcomeChecks.requireOk(transaction, ahead.fetch());
    }
  }

  private boolean nextAlone() {
    while (!sourceDone) {
      if (!source.next()) {
        sourceDone = true;
        deleteDeferred();
      } else if (insertOne(takesDuplicates())) {
        return true;
      }
    }
    if (changeDeferred()) {
      return true;
    }
    finishChecks();
    return false;
  }

  /**
   * Inserts a row.
   *
   * @param others true if the statement also changes other rows, which may temporarily have the
   *     same key
   */
  private boolean insertOne(boolean others) {
    build();
    Outcome status = transaction.insert(table, key, frame.row(row));
    if (status == Outcome.OK) {
      if (resolution != null) {
        resolution.inserted(key);
      }
      checks.check(false);
      return true;
    } else if (status != Outcome.DUPLICATE) {
      throw transaction.failure(status, ConflictLocations.ofRow(table, key));
    } else if (!others) {
      throw ConstraintViolations.duplicate(table, transaction.violatedIndex(), row, frame);
    } else if (definition.onDuplicate == OnDuplicate.SKIP) {
      return false;
    } else if (resolution != null && resolution.finds(frame, transaction)) {
      return resolution.resolve(row, frame);
    }
    deferred.add();
    return false;
  }

  @Override
  public boolean changeInTurn() {
    return insertOne(true);
  }

  @Override
  public void deleteDeferred() {
    if (resolution != null) {
      resolution.deleteDeferred();
    }
  }

  @Override
  public boolean changeDeferred() {
    if (resolution != null && resolution.changeDeferred(row, frame)) {
      return true;
    }
    boolean inserted = deferred.insertNext();
    if (inserted) {
      checks.check(false);
    }
    return inserted;
  }

  @Override
  public void finishChecks() {
    checks.finish();
    if (resolution != null) {
      resolution.finishChecks();
    }
  }

  @Override
  public void collectHints(Frame present, PrefetchHints prefetchHints) {
    if (givenKey != null && givenKey.makeGivenKey(table, present, key)) {
      prefetchHints.add(table, key, true);
    }
  }

  @Override
  public void close() {
    source.close();
    sourceDone = true;
    checks.close();
    deferred.release();
    if (resolution != null) {
      resolution.close();
    }
  }

  @Override
  public Operator copy(Copier copier) {
    return new Insert(table, row, definition, copier.copy(source));
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofRow(row);
  }

  @Override
  public String explain() {
    return "Insert("
        + table.schema()
        + ": "
        + rowAssignments.explain(table.layout())
        + (resolution == null ? "" : resolution.explain())
        + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of(source);
  }
}
