package org.nelumbo.database.session;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.database.BufferedRows;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.limit.SessionLimits;
import org.nelumbo.executor.plan.PlanExecution;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.Rows;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.ParameterSet;

/**
 * The state of a statement that a session runs repeatedly: its plan, its parameters, the result
 * being read and the generated keys (a portal in PostgreSQL's terms). It is independent of
 * transactions: {@link StatementRunner} runs it.
 *
 * <p>Its rows are either streamed from the plan, or buffered: explanations, and the remaining rows
 * of a result whose transaction has ended.
 *
 * <p>One thread at a time uses a portal. However, the threads that share a session may {@link
 * #detach} and {@link #lost end} each other's streamed results. Therefore streaming requires the
 * session's mutex; only the {@link CurrentRow} and buffered rows belong to the reader alone.
 */
final class Portal {
  private final Environment environment;
  private final ParameterSet parameters;
  private CachedStatement statement;

  private ParameterSet literals;

  private PlanExecution execution;

  /** Null while rows are streamed; another thread may set it under the session's mutex. */
  private volatile BufferedRows buffered;

  /** Error at the end of the buffered rows; null if the result ends with them. */
  private NelumboException bufferedEnd;

  private SessionLimits limits;

  /** Memory account of the buffered rows; null until there are any. */
  private MemoryAccount kept;

  private long keptBytes;

  private MemoryAccount copies;

  private boolean open;

  /** Error that reports why another statement has closed the result; null otherwise. */
  private NelumboException loss;

  private CurrentRow row;

  private boolean onRow;

  /**
   * True if the reader is in the buffered rows. Only the reader uses this field and the next one.
   */
  private boolean onBuffered;

  /** True if the reader has reached the end of the rows, or needs no more. */
  private boolean exhausted = true;

  /** Timer value at the start of the running query; 0 if it is not measured, or has ended. */
  private long begun;

  private Object owner;

  private long timeoutNanos;
  private boolean continues;
  private long maxRows;
  private long rowsLeft;
  private int[] keyColumns;
  private List<Object[]> keys = List.of();
  private List<Object[]> returned = List.of();
  private List<ResultColumn> keyColumnInfo = List.of();

  Portal(Environment environment, CachedStatement statement) {
    this.environment = environment;
    this.parameters = new ParameterSet(statement.parameters().size());
    adopt(statement);
  }

  // Plan and parameters.

  /** Adopts a plan, the first one or a newer one of the same text. */
  void adopt(CachedStatement newStatement) {
    if (newStatement.parameters().size() != parameters.size()) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT,
          "the statement has changed with the schema; prepare it again");
    }
    statement = newStatement;
    literals = newStatement.literals() == null ? null : newStatement.literals().copy();
    ParameterSet values = literals == null ? parameters : literals;
    execution =
        newStatement.physical() == null
            ? null
            : newStatement.analyze()
                ? newStatement.physical().plan().newAnalyzedExecution(environment, values)
                : newStatement.physical().plan().newExecution(environment, values);
  }

  /** Adopts a statement that shares the present plan. */
  void adoptText(CachedStatement text) {
    statement = text;
    if (literals != null) {
      literals.copyFrom(text.literals());
    }
  }

  CachedStatement statement() {
    return statement;
  }

  void setBegun(long time) {
    begun = time;
  }

  long takeBegun() {
    long time = begun;
    begun = 0;
    return time;
  }

  PlanExecution execution() {
    return execution;
  }

  ParameterSet parameters() {
    return parameters;
  }

  Object owner() {
    return owner;
  }

  void setOwner(Object who) {
    owner = who;
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  void setTimeoutNanos(long nanos) {
    timeoutNanos = nanos;
  }

  /** Marks the next run as the continuation of a statement whose time limit is already running. */
  void continueStatement() {
    continues = true;
  }

  /** Returns true if the starting run continues such a statement, and clears the mark. */
  boolean takeContinues() {
    boolean was = continues;
    continues = false;
    return was;
  }

  void setMaxRows(long rows) {
    maxRows = rows;
  }

  // Rows.

  /** Begins to stream the rows of the plan. */
  void open(Transaction transaction) {
    limits = transaction.limits();
    execution.open(transaction);
    opened(null);
  }

  /** Opens a result with rows that are in memory. */
  void open(List<Object[]> rows) {
    opened(new BufferedRows(rows));
  }

  private void opened(BufferedRows rowsOrNull) {
    open = true;
    loss = null;
    exhausted = false;
    onRow = false;
    onBuffered = false;
    if (rowsOrNull == null && (row == null || !row.isOf(execution))) {
      row = new CurrentRow(execution);
    }
    buffered = rowsOrNull;
    bufferedEnd = null;
    rowsLeft = maxRows == 0 ? Long.MAX_VALUE : maxRows;
  }

  boolean isOpen() {
    return open;
  }

  boolean isStreaming() {
    return open && buffered == null;
  }

  /** Returns true if the remaining rows are in memory, so that reading them needs no mutex. */
  boolean isBuffered() {
    return buffered != null;
  }

  /** Returns true if the reader has reached the end of the rows, or needs no more. */
  boolean isExhausted() {
    return exhausted;
  }

  void exhaust() {
    exhausted = true;
  }

  /** Throws the error of a result that another statement has closed. */
  void checkNotLost() {
    if (loss != null) {
      throw loss;
    }
  }

  private boolean takesRow() {
    return rowsLeft-- > 0;
  }

  /**
   * Moves to the next row of the plan; returns false after the last one or at the limit of rows.
   */
  boolean nextStreamed() {
    onRow = false;
    if (takesRow() && execution.next()) {
      row.load();
      onRow = true;
    }
    return onRow;
  }

  /** Moves to the next buffered row. */
  boolean nextBuffered() {
    if (!takesRow()) {
      return false;
    }
    boolean found = buffered.next();
    if (!found && bufferedEnd != null) {
      throw bufferedEnd;
    }
    onBuffered = true;
    return found;
  }

  /** Returns the current streamed row, or null if the current row is a buffered one. */
  CurrentRow streamedRow() {
    return onBuffered ? null : row;
  }

  /** Returns the buffered rows. */
  BufferedRows bufferedRows() {
    return buffered;
  }

  /** Computes a value of the streamed row; the caller has the session's mutex. */
  void readValue(int column) {
    if (!row.isRead(column)) {
      checkNotLost();
      row.read(column);
    }
  }

  /** Marks the result as closed. */
  void closed() {
    open = false;
    onRow = false;
    buffered = null;
    bufferedEnd = null;
    keepBytes(0);
  }

  /** Closes a streamed result without its reader, whose next read fails. */
  void lost() {
    execution.close();
    closed();
    loss =
        new NelumboException(
            ErrorCode.INVALID_CURSOR,
            "the result is closed: the transaction in which its rows were read has ended");
  }

  private void keepBytes(long bytes) {
    if (kept != null || bytes > 0) {
      if (kept == null) {
        kept = limits.newAccount("a result that outlives its transaction");
      }
      kept.resize(bytes);
    }
    keptBytes = bytes;
  }

  /** Sets the memory that is reserved for copies that the reader keeps. */
  void reserveCopies(long bytes) {
    if (copies != null || bytes > 0 && limits != null) {
      if (copies == null) {
        copies = limits.newAccount("a scrollable result");
      }
      copies.resize(bytes);
    }
  }

  private void keep(List<Object[]> rows, Object[] values) {
    keepBytes(keptBytes + BufferedRows.bytesOf(values));
    rows.add(values);
  }

  /**
   * Reads the current and the remaining rows into memory, because the transaction is about to end.
   * An error in a row or value that was not read yet is stored and thrown when the reader reaches
   * it. An error that ends the transaction is thrown immediately.
   */
  void detach() {
    if (onRow) {
      row.complete();
    }
    List<Object[]> rows = new ArrayList<>();
    NelumboException end = null;
    try {
      while (rows.size() < rowsLeft && execution.next()) {
        keep(rows, detachedRow());
      }
    } catch (NelumboException e) {
      end = CurrentRow.pending(e);
    }
    execution.close();
    bufferedEnd = end;
    buffered = new BufferedRows(rows);
  }

  /** A value that cannot be computed is its exception. */
  private Object[] detachedRow() {
    Object[] values = new Object[statement.physical().plan().columns().size()];
    for (int i = 0; i < values.length; i++) {
      try {
        values[i] = value(i);
      } catch (NelumboException e) {
        values[i] = CurrentRow.pending(e);
      }
    }
    return values;
  }

  private Object[] values() {
    Object[] values = new Object[statement.physical().plan().columns().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(i);
    }
    return values;
  }

  private Object[] values(int[] columns) {
    Object[] values = new Object[columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(columns[i]);
    }
    return values;
  }

  private Object value(int column) {
    ColumnType type = statement.physical().plan().columns().get(column).type();
    if (execution.isNull(column)) {
      return null;
    }
    return type.isLong() ? (Object) execution.longAt(column) : execution.objectAt(column);
  }

  // Changes of rows, and generated keys.

  /** Selects the columns whose values INSERTs keep; null for none. */
  void keepGeneratedKeys(int[] columns) {
    keyColumns = columns == null ? null : columns.clone();
  }

  boolean keepsKeys() {
    return keyColumns != null && statement.isInsert();
  }

  /** Drops the keys of the previous run. */
  void clearKeys() {
    keys = List.of();
    returned = List.of();
    keyColumnInfo = List.of();
    keepBytes(0);
  }

  /** Runs a change to its end; returns the number of rows. */
  long executeUpdate(Transaction transaction) {
    if (statement.returnsChanges()) {
      returned = changedRows(transaction, null);
      return returned.size();
    }
    return keepsKeys() ? insertKeepingKeys(transaction) : execution.executeUpdate(transaction);
  }

  private List<Object[]> changedRows(Transaction transaction, int[] columnsOrNull) {
    List<Object[]> found = new ArrayList<>();
    limits = transaction.limits();
    execution.open(transaction);
    while (execution.next()) {
      keep(found, columnsOrNull == null ? values() : values(columnsOrNull));
    }
    return found;
  }

  /** Opens the rows that a change has returned. */
  void openReturned() {
    List<Object[]> rows = returned;
    returned = List.of();
    open(rows);
  }

  private long insertKeepingKeys(Transaction transaction) {
    List<Object[]> found = changedRows(transaction, keyColumns);
    keys = found;
    List<ResultColumn> columns = new ArrayList<>();
    for (int column : keyColumns) {
      columns.add(statement.generatedKeyColumns().get(column));
    }
    keyColumnInfo = columns;
    return found.size();
  }

  Rows generatedKeys() {
    return new BufferedRows(keys);
  }

  List<ResultColumn> generatedKeyColumns() {
    return keyColumnInfo;
  }

  /** Clears all settings of the previous user; the plan stays. */
  void reset() {
    parameters.clear();
    clearKeys();
    reserveCopies(0);
    keyColumns = null;
    owner = null;
    timeoutNanos = 0;
    continues = false;
    maxRows = 0;
  }
}
