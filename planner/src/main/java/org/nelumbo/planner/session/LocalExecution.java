package org.nelumbo.planner.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.expr.ParameterSet;
import org.nelumbo.executor.plan.PlanExecution;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.planner.PreparedStatementPlan;
import org.nelumbo.planner.ResultColumn;
import org.nelumbo.planner.Rows;
import org.nelumbo.planner.StatementExecution;

/**
 * An execution in a {@link LocalSession}, which decides about transactions; here are parameters,
 * rows and generated keys.
 */
final class LocalExecution implements StatementExecution {
  private final LocalSession session;
  private CachedStatement cachedStatement;
  private PlanExecution execution;
  private final ParameterSet parameters;
  private BufferedRows buffered;
  private boolean open;
  private long timeoutNanos;
  private long maxRows;
  private long rowsLeft;
  private int[] keyColumns;
  private List<Object[]> keys = List.of();
  private List<ResultColumn> keyColumnInfo = List.of();

  LocalExecution(LocalSession session, CachedStatement cachedStatement) {
    this.session = session;
    this.parameters = new ParameterSet(cachedStatement.parameters().size());
    adopt(cachedStatement);
  }

  /** Takes a plan, the first or a newer one. */
  private void adopt(CachedStatement newPlan) {
    if (newPlan.parameters().size() != parameters.size()) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT,
          "the statement has changed with the schema; prepare it again");
    }
    if (newPlan.analyze()) {
      session.countVerbs();
    }
    cachedStatement = newPlan;
    execution =
        newPlan.physical() == null
            ? null
            : newPlan.analyze()
                ? newPlan.physical().plan().newAnalyzedExecution(session.environment(), parameters)
                : newPlan.physical().plan().newExecution(session.environment(), parameters);
  }

  /**
   * Plans anew if the catalogue has changed since; the cache gives the same object as long as it
   * has not.
   */
  @SuppressWarnings("ReferenceEquality")
  CachedStatement refresh() {
    CachedStatement fresh = session.current(cachedStatement);
    if (fresh != cachedStatement) {
      adopt(fresh);
    }
    return cachedStatement;
  }

  CachedStatement cachedStatement() {
    return cachedStatement;
  }

  PlanExecution execution() {
    return execution;
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  @Override
  public PreparedStatementPlan plan() {
    return cachedStatement;
  }

  @Override
  public ParameterSet parameters() {
    return parameters;
  }

  @Override
  public void setTimeoutNanos(long nanos) {
    timeoutNanos = nanos;
  }

  @Override
  public void setMaxRows(long rows) {
    maxRows = rows;
  }

  @Override
  public void executeQuery() {
    if (!cachedStatement.kind().returnsRows()) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT, "the statement returns no rows; use executeUpdate");
    }
    session.queries().open(this);
    rowsLeft = maxRows == 0 ? Long.MAX_VALUE : maxRows;
  }

  @Override
  public boolean hint() {
    return execution != null && session.changes().anticipate(this);
  }

  @Override
  public boolean insertMany(int rows, IntConsumer setRow) {
    return execution != null
        && execution.canInsertMany()
        && !keepsKeys()
        && session.insertMany(this, rows, setRow);
  }

  @Override
  public long executeUpdate() {
    if (cachedStatement.kind().returnsRows()) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT, "the statement returns rows; use executeQuery");
    }
    return session.update(this);
  }

  /** The session has begun to deliver rows. */
  void opened() {
    open = true;
    buffered = null;
  }

  /** Rows that are there already. */
  void opened(BufferedRows rows) {
    open = true;
    buffered = rows;
  }

  /** The session has ended the delivery. */
  void closed() {
    open = false;
    buffered = null;
  }

  boolean isStreaming() {
    return open && buffered == null;
  }

  /** Reads what is left into memory: the transaction is about to end. */
  void detach() {
    List<Object[]> rows = new ArrayList<>();
    while (rows.size() < rowsLeft && execution.next()) {
      rows.add(row());
    }
    execution.close();
    buffered = new BufferedRows(rows);
  }

  private Object[] row() {
    Object[] row = new Object[cachedStatement.physical().plan().columns().size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = value(i);
    }
    return row;
  }

  private Object value(int column) {
    ColumnType type = cachedStatement.physical().plan().columns().get(column).type();
    if (execution.isNull(column)) {
      return null;
    }
    return type.isLong() ? (Object) execution.longAt(column) : execution.objectAt(column);
  }

  @Override
  public boolean next() {
    if (!open) {
      return false;
    }
    if (buffered != null) {
      return rowsLeft-- > 0 && buffered.next();
    }
    return session.queries().next(this, rowsLeft-- > 0);
  }

  @Override
  public boolean isNull(int column) {
    return buffered == null ? execution.isNull(column) : buffered.isNull(column);
  }

  @Override
  public long longAt(int column) {
    return buffered == null ? execution.longAt(column) : buffered.longAt(column);
  }

  @Override
  public Object objectAt(int column) {
    return buffered == null ? execution.objectAt(column) : buffered.objectAt(column);
  }

  @Override
  public void keepGeneratedKeys(int[] columns) {
    keyColumns = columns == null ? null : columns.clone();
  }

  boolean keepsKeys() {
    return keyColumns != null && cachedStatement.isInsert();
  }

  /** Before a run: keys of the last one are forgotten. */
  void clearKeys() {
    keys = List.of();
    keyColumnInfo = List.of();
  }

  /** Runs an INSERT and keeps the keys asked for; the number of rows. */
  long insertKeepingKeys() {
    List<Object[]> found = new ArrayList<>();
    execution.open(session.transaction());
    while (execution.next()) {
      Object[] row = new Object[keyColumns.length];
      for (int i = 0; i < row.length; i++) {
        row[i] = value(keyColumns[i]);
      }
      found.add(row);
    }
    keys = found;
    List<ResultColumn> columns = new ArrayList<>();
    for (int column : keyColumns) {
      columns.add(cachedStatement.generatedKeyColumns().get(column));
    }
    keyColumnInfo = columns;
    return found.size();
  }

  @Override
  public Rows generatedKeys() {
    return new BufferedRows(keys);
  }

  @Override
  public List<ResultColumn> generatedKeyColumns() {
    return keyColumnInfo;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void closeRows() {
    if (open) {
      session.queries().close(this);
    }
  }

  @Override
  public void cancel() {
    session.cancel();
  }

  @Override
  public void close() {
    closeRows();
    parameters.clear();
    clearKeys();
    keyColumns = null;
    timeoutNanos = 0;
    maxRows = 0;
    session.giveBack(this);
  }
}
