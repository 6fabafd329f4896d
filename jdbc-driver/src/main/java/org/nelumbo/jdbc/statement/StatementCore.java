package org.nelumbo.jdbc.statement;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.nelumbo.jdbc.result.GeneratedKeyColumns;
import org.nelumbo.jdbc.result.GeneratedKeyRows;
import org.nelumbo.jdbc.result.NelumboResultSet;
import org.nelumbo.jdbc.result.ResultSetOwner;
import org.nelumbo.jdbc.result.ResultSetType;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.PreparedStatementPlan;
import org.nelumbo.session.Session;
import org.nelumbo.session.StatementExecution;
import org.nelumbo.session.StatementKind;

/**
 * The core of a statement, prepared or not: its execution, its result or update count, its
 * generated keys, and its closing. It keeps the execution of the latest plan for runs with the same
 * plan, and one result set object for all results.
 *
 * <p>Used by one thread at a time, except {@link #cancel} and {@link #isClosed}, which any thread
 * may call.
 */
final class StatementCore extends OpenStatements.Node implements ResultSetOwner {
  private static final long NO_COUNT = -1;

  private final ConnectionCore connection;
  private final Statement statement;
  private final ResultSetType resultType;

  private StatementExecution execution;
  private Runnable endResult;
  private NelumboResultSet result;
  private GeneratedKeyRows generatedKeyRows;
  private long updateCount = NO_COUNT;
  private long maxRows;
  private int timeoutSeconds;
  private boolean hasResult;
  private boolean closeOnCompletion;
  private volatile boolean closed;

  /** Creates the core of {@code statement} and registers it as open. */
  StatementCore(ConnectionCore connection, Statement statement, ResultSetType resultType) {
    this.connection = connection;
    this.statement = statement;
    this.resultType = resultType;
    connection.statements().add(this);
  }

  ConnectionCore connection() {
    return connection;
  }

  void checkOpen() throws SQLException {
    if (closed) {
      throw SqlExceptions.closed("statement");
    }
    connection.checkOpen();
  }

  // Settings.

  /** Returns the maximum number of rows of a result; 0 for no limit. */
  long maxRows() {
    return maxRows;
  }

  void setMaxRows(long max) {
    maxRows = max;
    if (execution != null) {
      execution.setMaxRows(max);
    }
  }

  /** Returns the timeout of a run in seconds; 0 uses the timeout of the session. */
  int timeoutSeconds() {
    return timeoutSeconds;
  }

  void setTimeoutSeconds(int seconds) {
    timeoutSeconds = seconds;
  }

  ResultSetType resultType() {
    return resultType;
  }

  // Runs.

  StatementExecution execution() {
    return execution;
  }

  /**
   * Makes {@link #run} run this plan. The execution of the latest run is reused if it has this
   * plan.
   */
  void use(PreparedStatementPlan plan) {
    if (execution != null) {
      if (execution.plan() == plan) {
        return;
      }
      execution.close();
    }
    long timeout = TimeUnit.SECONDS.toNanos(timeoutSeconds);
    StatementExecution fresh = connection.session().newExecution(plan, timeout, this);
    fresh.setMaxRows(maxRows);
    execution = fresh;
    endResult = fresh::closeRows;
  }

  /** Plans a text that is run immediately afterwards: this begins the run. */
  void prepare(String sql) throws SQLException {
    connection.statementStarted();
    boolean planned = false;
    try {
      use(connection.session().prepare(sql, TimeUnit.SECONDS.toNanos(timeoutSeconds), this));
      execution.continueStatement();
      planned = true;
    } catch (Throwable e) {
      throw connection.failed(e);
    } finally {
      if (!planned) {
        connection.statementFinished();
      }
    }
  }

  /**
   * Runs the execution with its current parameters.
   *
   * @return true if the run has a result, false if it has an update count
   */
  boolean run() throws SQLException {
    endLastRun();
    StatementExecution running = execution;
    StatementKind kind = running.plan().kind();
    boolean autoCommit = connection.session().autoCommit();
    connection.statementStarted();
    try {
      running.setTimeoutNanos(TimeUnit.SECONDS.toNanos(timeoutSeconds));
      if (kind.returnsRows()) {
        running.executeQuery();
        openResult();
        connection.statementFinished();
        return true;
      }
      updateCount = running.executeUpdate();
    } catch (Throwable e) {
      connection.statementFinished();
      throw connection.failed(e);
    }
    connection.statementFinished();
    if (!autoCommit && !kind.changesRows()) {
      connection.transactionEnded();
    }
    return false;
  }

  /**
   * Runs an INSERT for many rows of parameters, see {@link StatementExecution#insertMany}.
   *
   * @return false if each row must be run on its own
   */
  boolean insertMany(int rows, IntConsumer setRow) throws SQLException {
    endLastRun();
    connection.statementStarted();
    try {
      execution.setTimeoutNanos(TimeUnit.SECONDS.toNanos(timeoutSeconds));
      return execution.insertMany(rows, setRow);
    } catch (Throwable e) {
      throw connection.failed(e);
    } finally {
      connection.statementFinished();
    }
  }

  /**
   * Ends the latest run as a part of the next one: its result, its count, its generated keys. The
   * query timeout bounds the wait for another thread's statement, and {@link #cancel} ends the
   * wait.
   */
  void endLastRun() throws SQLException {
    boolean hadResult = hasResult;
    forgetLastRun();
    if (execution != null && (hadResult || execution.isOpen())) {
      try {
        execution.closeRows(TimeUnit.SECONDS.toNanos(timeoutSeconds));
      } catch (Throwable e) {
        throw connection.failed(e);
      }
    }
  }

  private void forgetLastRun() {
    generatedKeyRows = null;
    updateCount = NO_COUNT;
    if (hasResult) {
      NelumboResultSet old = result;
      result = null; // its user may still call isClosed
      hasResult = false;
      old.endReading();
    }
  }

  /** Calls the session to begin or end a transaction, as a part of running this statement. */
  void inSession(Consumer<Session> action) throws SQLException {
    connection.statementStarted();
    try {
      action.accept(connection.session());
    } catch (Throwable e) {
      throw connection.failed(e);
    } finally {
      connection.statementFinished();
    }
  }

  private void openResult() throws SQLException {
    if (result == null) {
      result = new NelumboResultSet(this, resultType);
    }
    assert !hasResult : "the result of the last run is still open";
    hasResult = true;
    result.open(connection.watched(execution), execution.plan().columns(), endResult);
  }

  @Override
  public Statement statement() {
    return statement;
  }

  @Override
  public String sql() {
    return execution.plan().sql();
  }

  /**
   * Converts an error while reading rows. An error of the engine ends the statement and its result.
   */
  @Override
  public SQLException failed(Throwable e) {
    SQLException failure = connection.failed(e);
    if (!(e instanceof SQLException) && hasResult) {
      NelumboResultSet ended = result;
      result = null;
      hasResult = false;
      ended.endReading();
    }
    return failure;
  }

  @Override
  public void resultClosed() throws SQLException {
    if (hasResult) {
      hasResult = false;
      if (closeOnCompletion) {
        close();
      }
    }
  }

  @Override
  public long resultsEnded() {
    return connection.resultsEnded();
  }

  /** Selects the generated keys that the execution keeps. */
  void requestKeys(GeneratedKeyColumns keys) throws SQLException {
    execution.keepGeneratedKeys(
        keys == GeneratedKeyColumns.NONE ? null : keys.columns(execution.plan()));
  }

  /** Keeps the generated keys of the latest run for {@link #generatedKeys}. */
  void keepKeys(GeneratedKeyColumns keys) {
    if (keys != GeneratedKeyColumns.NONE) {
      generatedKeyRows = GeneratedKeyRows.of(execution);
    }
  }

  void keepKeys(GeneratedKeyRows keys) {
    generatedKeyRows = keys;
  }

  // Results and counts.

  /** Returns the result of the latest run, or null if it had none or the result is closed. */
  NelumboResultSet result() {
    return hasResult && !result.isClosed() ? result : null;
  }

  /** Returns the update count of the latest run, or -1 if it had none. */
  long updateCount() {
    return updateCount;
  }

  /**
   * Closes the result unless {@code current} is KEEP_CURRENT_RESULT, and clears the count: there
   * are no more results.
   */
  void getMoreResults(int current) throws SQLException {
    if (current != Statement.KEEP_CURRENT_RESULT && hasResult) {
      result.close();
    }
    updateCount = NO_COUNT;
  }

  /** Returns the generated keys of the latest run as a result. */
  ResultSet generatedKeys() throws SQLException {
    return (generatedKeyRows == null ? new GeneratedKeyRows() : generatedKeyRows).open();
  }

  // Closing.

  void cancel() {
    connection.session().cancel(this);
  }

  /** Closes the statement when its next result is closed. */
  void closeOnCompletion() {
    closeOnCompletion = true;
  }

  boolean isCloseOnCompletion() {
    return closeOnCompletion;
  }

  @Override
  public boolean isClosed() {
    return closed || connection.isClosed();
  }

  @Override
  void close() throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    connection.statements().remove(this);
    if (connection.isClosed()) {
      return;
    }
    forgetLastRun();
    if (execution != null) {
      try {
        execution.close();
      } catch (Throwable e) {
        throw connection.failed(e);
      }
    }
  }
}
