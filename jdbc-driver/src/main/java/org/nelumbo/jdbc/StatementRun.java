package org.nelumbo.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.planner.PreparedStatementPlan;
import org.nelumbo.planner.Session;
import org.nelumbo.planner.StatementExecution;
import org.nelumbo.planner.StatementKind;

/**
 * What runs of statements have in common, whatever their text and parameters come from: the
 * execution, its result or count, generated keys, and the end of all that. Keeps the execution of
 * the plan before, in case it comes again.
 */
abstract class StatementRun extends StatementSettings implements ResultSetOwner {
  private static final long NO_COUNT = -1;

  /** Neighbours in {@link OpenStatements}. */
  StatementRun preceding;

  StatementRun following;

  private StatementExecution execution;
  private Runnable endResult;
  private NelumboResultSet result;
  private KeptKeys keptKeys;
  private long updateCount = NO_COUNT;
  private boolean hasResult;
  private boolean closeOnCompletion;
  private volatile boolean closed;

  StatementRun(NelumboConnection connection, ResultSetType resultType) {
    super(connection, resultType);
    connection.statements().add(this);
  }

  @Override
  final void checkOpen() throws SQLException {
    if (closed) {
      throw Errors.closed("statement");
    }
    connection.checkOpen();
  }

  @Override
  final void settingsChanged() {
    if (execution != null) {
      execution.setMaxRows(maxRows());
    }
  }

  final StatementExecution execution() {
    return execution;
  }

  /** Takes an execution of a plan as the one that {@link #run} runs. */
  final void use(PreparedStatementPlan plan) {
    if (execution != null) {
      if (execution.plan() == plan) {
        return;
      }
      execution.close();
    }
    StatementExecution fresh = connection.session().newExecution(plan);
    fresh.setMaxRows(maxRows());
    execution = fresh;
    endResult = fresh::closeRows;
  }

  /** Runs the execution; whether there is a result. */
  final boolean run() throws SQLException {
    endOfRun();
    StatementExecution running = execution;
    StatementKind kind = running.plan().kind();
    connection.starts(this);
    try {
      running.setTimeoutNanos(timeoutNanos());
      if (kind.returnsRows()) {
        running.executeQuery();
        showResult();
        connection.answered();
        return true;
      }
      updateCount = running.executeUpdate();
    } catch (RuntimeException | InternalError e) {
      connection.rests(this);
      throw connection.failed(e);
    }
    connection.rests(this);
    if (kind != StatementKind.UPDATE) {
      connection.transactionEnded();
    }
    return false;
  }

  /**
   * Runs an INSERT for many rows of parameters, see {@link StatementExecution#insertMany}; false if
   * each has to be run by itself.
   */
  final boolean runMany(int rows, IntConsumer setRow) throws SQLException {
    endOfRun();
    connection.starts(this);
    try {
      execution.setTimeoutNanos(timeoutNanos());
      return execution.insertMany(rows, setRow);
    } catch (RuntimeException | InternalError e) {
      throw connection.failed(e);
    } finally {
      connection.rests(this);
    }
  }

  /** Ends what the run before has left: its result and its count. */
  private void endOfRun() throws SQLException {
    if (hasResult) {
      NelumboResultSet old = result;
      result = null; // its holder may still ask whether it is closed
      hasResult = false;
      connection.resultClosed();
      old.closeByOwner();
    }
    updateCount = NO_COUNT;
  }

  /** What a run does to the transaction around it. */
  final void act(Consumer<Session> action) throws SQLException {
    connection.starts(this);
    try {
      action.accept(connection.session());
    } catch (RuntimeException | InternalError e) {
      throw connection.failed(e);
    } finally {
      connection.rests(this);
    }
  }

  /** Ends the run before, and what generated keys it left. */
  final void forget() throws SQLException {
    endOfRun();
    keptKeys = null;
  }

  /** A result set that its holder has closed is used again. */
  private void showResult() throws SQLException {
    if (result == null) {
      result = new NelumboResultSet(this, resultType);
    }
    hasResult = true;
    connection.resultOpened();
    result.open(connection.watched(execution), execution.plan().columns(), endResult);
  }

  @Override
  public final Statement statement() {
    return this;
  }

  @Override
  public final SQLException failed(Throwable e) {
    return connection.failed(e);
  }

  @Override
  public final void resultClosed() throws SQLException {
    if (hasResult) {
      hasResult = false;
      connection.resultClosed();
      connection.rests(this);
      if (closeOnCompletion) {
        close();
      }
    }
  }

  /** The transaction in which the result was being read is over. */
  final void transactionEnded() {
    if (hasResult) {
      NelumboResultSet old = result;
      result = null;
      hasResult = false;
      connection.resultClosed();
      old.transactionEnded();
    }
  }

  /** Tells the execution which generated keys to keep. */
  final void ask(GeneratedKeys keys) throws SQLException {
    execution.keepGeneratedKeys(keys == GeneratedKeys.NONE ? null : keys.columns(execution.plan()));
  }

  /** Makes the last run's generated keys those of this statement. */
  final void keepKeys(GeneratedKeys keys) {
    if (keys != GeneratedKeys.NONE) {
      keptKeys = KeptKeys.of(execution);
    }
  }

  final void keepKeys(KeptKeys keys) {
    keptKeys = keys;
  }

  /** Refuses a plan of the wrong sort before it runs. */
  static void checkSort(PreparedStatementPlan plan, boolean rowsWanted) throws SQLException {
    if (plan.kind().returnsRows() != rowsWanted) {
      throw Errors.of(
          ErrorCode.INVALID_STATEMENT,
          rowsWanted
              ? "the statement returns no rows; run it with executeUpdate or execute"
              : "the statement returns rows; run it with executeQuery or execute");
    }
  }

  static int toInt(long count) {
    return (int) Math.min(count, Integer.MAX_VALUE);
  }

  @Override
  public ResultSet getResultSet() throws SQLException {
    checkOpen();
    return hasResult ? result : null;
  }

  @Override
  public int getUpdateCount() throws SQLException {
    return toInt(getLargeUpdateCount());
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    checkOpen();
    return updateCount;
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    return getMoreResults(Statement.CLOSE_CURRENT_RESULT);
  }

  @Override
  public boolean getMoreResults(int current) throws SQLException {
    checkOpen();
    if (current < Statement.CLOSE_CURRENT_RESULT || current > Statement.CLOSE_ALL_RESULTS) {
      throw Errors.badParameter(current + " says nothing about the current result");
    }
    if (current != Statement.KEEP_CURRENT_RESULT && hasResult) {
      result.close();
    }
    updateCount = NO_COUNT;
    return false;
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    checkOpen();
    return (keptKeys == null ? new KeptKeys() : keptKeys).open();
  }

  @Override
  public void cancel() throws SQLException {
    checkOpen();
    connection.cancel(this);
  }

  @Override
  public void closeOnCompletion() throws SQLException {
    checkOpen();
    closeOnCompletion = true;
  }

  @Override
  public boolean isCloseOnCompletion() throws SQLException {
    checkOpen();
    return closeOnCompletion;
  }

  @Override
  public boolean isClosed() {
    return closed || connection.isClosed();
  }

  @Override
  public void close() throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    connection.statements().remove(this);
    if (connection.isClosed()) {
      return;
    }
    try {
      endOfRun();
    } finally {
      connection.rests(this);
      closeExecution();
    }
  }

  private void closeExecution() throws SQLException {
    if (execution != null) {
      try {
        execution.close();
      } catch (RuntimeException | InternalError e) {
        throw connection.failed(e);
      }
    }
  }

  /** The result of the last run, if it had one. */
  final NelumboResultSet result() {
    return result;
  }

  final long updateCount() {
    return updateCount;
  }
}
