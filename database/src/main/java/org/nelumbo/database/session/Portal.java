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
 * The state of one statement that a session runs, again and again: its plan, its parameters, the
 * result being read and the keys that were generated (a portal in PostgreSQL's words). It knows
 * nothing of transactions: {@link StatementRunner} runs it.
 *
 * <p>Its rows are either streamed from the plan, or buffered: explanations, and what was left of a
 * result when its transaction ended.
 *
 * <p>One thread at a time uses a portal. But the threads that share a session may {@link #detach}
 * and {@link #lost end} each other's streamed results. So streaming takes the session's mutex; only
 * the {@link CurrentRow} and buffered rows belong to the reader alone.
 */
final class Portal {
  private final Environment environment;
  private final ParameterSet parameters;
  private CachedStatement statement;

  /** The values of literals that the plan takes as parameters; null if it takes none. */
  private ParameterSet literals;

  /** Null for commands. */
  private PlanExecution execution;

  /** Null while rows are streamed; another thread may set it under the session's mutex. */
  private volatile BufferedRows buffered;

  /** Why there are no more buffered rows; null if there are none or the result ends with them. */
  private NelumboException bufferedEnd;

  /** The limits of the session; null before the first run. */
  private SessionLimits limits;

  /** Pays for the rows in memory; null if there never were any. */
  private MemoryAccount kept;

  private long keptBytes;

  /** Pays for copies that the reader keeps; null if there never were any. */
  private MemoryAccount copies;

  private boolean open;

  /** Why another statement has closed the result; null if it has not. */
  private NelumboException loss;

  /** The streamed row that is being read; null before the first run of the plan. */
  private CurrentRow row;

  /** Whether a streamed row is being read. */
  private boolean onRow;

  /** Whether the reader is among the buffered rows; its own, as is the next one. */
  private boolean onBuffered;

  /** Whether the reader has seen the end of the rows, or wants no more. */
  private boolean exhausted = true;

  /** When the query being run began, as its timer says; 0 if that is not measured, or it ended. */
  private long begun;

  /** Whose statement it runs, see {@code StatementExecution.setOwner}; null for nobody's. */
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

  // What is run.

  /** Takes a plan, the first or a newer one of the same text. */
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

  /** Takes a statement that shares the plan of the present one. */
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

  /** The next run goes on with a statement whose time limit holds already. */
  void continueStatement() {
    continues = true;
  }

  /** Whether the run that begins goes on with such a statement; the next one does not. */
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

  /** Delivers rows that are there already. */
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

  /** Returns true if the rows left are in memory, so that reading them takes no mutex. */
  boolean isBuffered() {
    return buffered != null;
  }

  /** Returns true if there are no more rows for the reader, who was told or wants none. */
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

  /** Whether another row is wanted; counts it. */
  private boolean takesRow() {
    return rowsLeft-- > 0;
  }

  /** Goes to the next row of the plan; false if there is none or none is wanted. */
  boolean nextStreamed() {
    onRow = false;
    if (takesRow() && execution.next()) {
      row.load();
      onRow = true;
    }
    return onRow;
  }

  /** Goes to the next buffered row. */
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

  /** Returns the streamed row that the reader is on; null if it is on a buffered one. */
  CurrentRow streamedRow() {
    return onBuffered ? null : row;
  }

  /** Returns the buffered rows that the reader is in. */
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

  /** The delivery of rows has ended. */
  void closed() {
    open = false;
    onRow = false;
    buffered = null;
    bufferedEnd = null;
    keepBytes(0);
  }

  /** Closes a streamed result whose reader does not know of it: the next row is an error. */
  void lost() {
    execution.close();
    closed();
    loss =
        new NelumboException(
            ErrorCode.INVALID_CURSOR,
            "the result is closed: the transaction in which its rows were read has ended");
  }

  /** Reserves memory for the rows in memory, so many bytes in all. */
  private void keepBytes(long bytes) {
    if (kept != null || bytes > 0) {
      if (kept == null) {
        kept = limits.newAccount("a result that outlives its transaction");
      }
      kept.resize(bytes);
    }
    keptBytes = bytes;
  }

  /** Reserves memory for copies that the reader of the rows keeps, so many bytes in all. */
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
   * Reads the current row and what is left into memory: the transaction is about to end. An error
   * in a row or a value that its reader has not come to yet is the reader's, and waits for it; one
   * that ends the transaction is thrown.
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

  /** The values of the current row; of one that cannot be computed its error. */
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

  // Changes, and the keys they generate.

  /** Which columns' values INSERTs keep; null: none. */
  void keepGeneratedKeys(int[] columns) {
    keyColumns = columns == null ? null : columns.clone();
  }

  boolean keepsKeys() {
    return keyColumns != null && statement.isInsert();
  }

  /** Before a run: keys of the last one are forgotten. */
  void clearKeys() {
    keys = List.of();
    returned = List.of();
    keyColumnInfo = List.of();
    keepBytes(0);
  }

  /** Runs a change to its end; the number of rows. */
  long executeUpdate(Transaction transaction) {
    if (statement.returnsChanges()) {
      returned = changedRows(transaction, null);
      return returned.size();
    }
    return keepsKeys() ? insertKeepingKeys(transaction) : execution.executeUpdate(transaction);
  }

  /** Runs a change; the columns of the rows, or all that it shows of them. */
  private List<Object[]> changedRows(Transaction transaction, int[] columnsOrNull) {
    List<Object[]> found = new ArrayList<>();
    limits = transaction.limits();
    execution.open(transaction);
    while (execution.next()) {
      keep(found, columnsOrNull == null ? values() : values(columnsOrNull));
    }
    return found;
  }

  /** Delivers the rows of a change that has run. */
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

  /** Forgets all that its last user said; the plan stays. */
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
