package org.nelumbo.jdbc.statement;

import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.database.Database;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.error.UnexpectedErrors;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.Rows;
import org.nelumbo.session.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The core of a connection: its session, its open statements and results, its network timeout, and
 * its closing.
 *
 * <p>Statements report their start and end to this object. When a transaction ends, this object
 * closes the open results. In auto-commit mode the end of a statement's transaction closes only the
 * result of that statement; other open results are in memory.
 */
public final class ConnectionCore {
  /** Ownership of the database, which determines who closes it. */
  public enum DatabaseUse {
    /** The database belongs to this connection and is closed with it. */
    PRIVATE,
    /** Other connections may use the database, too; it stays open. */
    SHARED
  }

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionCore.class);

  private final Database database;
  private final Session session;
  private final DatabaseUse databaseUse;
  private final OpenStatements statements = new OpenStatements();

  /** Number of transaction ends that have closed the results read in the transaction. */
  private final AtomicLong resultsEnded = new AtomicLong();

  private int networkTimeout;

  private RequestWatchdog watchdog;

  /** True while open results are in memory, so that a failing statement need not close them. */
  private boolean keepsResults;

  /** Reason why the connection was closed other than by its user; null otherwise. */
  private volatile String lost;

  private volatile boolean closed;

  public ConnectionCore(Database database, Session session, DatabaseUse databaseUse) {
    this.database = database;
    this.session = session;
    this.databaseUse = databaseUse;
  }

  public Session session() {
    return session;
  }

  public Database database() {
    return database;
  }

  public OpenStatements statements() {
    return statements;
  }

  public void checkOpen() throws SQLException {
    if (closed) {
      throw lost == null
          ? SqlExceptions.closed("connection")
          : SqlExceptions.of(ErrorCode.CONNECTION_CLOSED, "the connection was closed: " + lost);
    }
  }

  /** Called before a statement runs. */
  void statementStarted() {
    if (watchdog != null) {
      watchdog.begin();
    }
  }

  /** Called after a statement has run; its result may still be read. */
  void statementFinished() {
    if (watchdog != null) {
      watchdog.end();
    }
  }

  /** Returns rows whose reading is subject to the network timeout, if there is one. */
  Rows watched(Rows rows) {
    return watchdog == null ? rows : new WatchedRows(rows, watchdog);
  }

  /** Closes open results, because the transaction in which they were read has ended. */
  public void transactionEnded() {
    resultsEnded.incrementAndGet();
  }

  /**
   * Returns the number of times that the end of a transaction has closed results. A result is open
   * as long as the number stays the same.
   */
  long resultsEnded() {
    return resultsEnded.get();
  }

  /**
   * Begins a part of a batch that runs in its own transaction. Open results are in memory, and stay
   * open whatever the outcome of the transaction.
   */
  void beginBatchTransaction() {
    assert !keepsResults : "a batch transaction within another";
    keepsResults = true;
  }

  void endBatchTransaction() {
    keepsResults = false;
  }

  private void failureEndsTransaction() {
    if (!keepsResults) {
      transactionEnded();
    }
  }

  /**
   * Converts any exception to the exception to throw. Every exception that leaves the driver passes
   * this method or {@link SqlExceptions#unexpected}.
   *
   * <p>An {@code SQLException} is returned unchanged. If an error has ended the transaction, the
   * open results are closed. An unexpected error ends the transaction.
   */
  public SQLException failed(Throwable e) {
    if (e instanceof SQLException known) {
      return known;
    }
    try {
      return failedInside(e);
    } catch (Throwable worse) {
      SQLException failure = SqlExceptions.unexpected(e);
      failure.addSuppressed(worse);
      return failure;
    }
  }

  private SQLException failedInside(Throwable e) {
    if (lost != null) {
      transactionEnded();
      return SqlExceptions.of(
          new NelumboException(ErrorCode.CONNECTION_LOST, "the connection was closed: " + lost, e));
    }
    InternalError fault = memoryFault(e);
    if (fault != null) {
      transactionEnded();
      database.abandon(fault);
      return SqlExceptions.unusable(database.locations(), e);
    }
    if (e instanceof NelumboException known) {
      if (!session.autoCommit() && known.code().endsTransaction()) {
        failureEndsTransaction();
      }
      return SqlExceptions.of(known);
    }
    transactionEnded();
    NelumboException error = UnexpectedErrors.of(e);
    if (!(e instanceof FabricException)) {
      endTransaction(error);
    }
    return SqlExceptions.of(error);
  }

  /**
   * Returns the error that the JVM threw because a page of the pool could not be loaded, in this
   * thread or in a background thread, which then released the pool; null if that is not the reason.
   */
  private static InternalError memoryFault(Throwable e) {
    if (e instanceof InternalError fault) {
      return fault;
    }
    return e.getCause() instanceof InternalError fault ? fault : null;
  }

  /**
   * Converts an exception of {@code commit}. An unexpected error leaves the outcome unknown,
   * because the commit may already have taken effect.
   */
  public SQLException commitFailed(Throwable e) {
    boolean known =
        e instanceof SQLException
            || e instanceof NelumboException
            || e instanceof FabricException
            || e instanceof InternalError
            || lost != null;
    SQLException failure = failed(e);
    return known ? failure : SqlExceptions.unknownOutcome(failure);
  }

  private void endTransaction(NelumboException error) {
    try {
      session.fail(error);
    } catch (Throwable e) {
      LOG.debug("not rolled back after {}", error.getMessage(), e);
    }
  }

  /** An action that may throw any exception. */
  @FunctionalInterface
  public interface Action<T> {
    T run() throws SQLException;
  }

  /** Runs an action on an open connection, and converts its exceptions. */
  public <T> T guarded(Action<T> action) throws SQLException {
    checkOpen();
    try {
      return action.run();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Calls the session, and converts its exceptions. */
  public void inSession(Runnable action) throws SQLException {
    try {
      action.run();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /**
   * Calls the session to end the transaction or to roll back a part of it, then closes open
   * results.
   */
  public void inSessionClosingResults(Runnable action) throws SQLException {
    try {
      inSession(action);
    } finally {
      transactionEnded();
    }
  }

  public boolean isValid(int seconds) throws SQLException {
    if (seconds < 0) {
      throw SqlExceptions.badParameter("the timeout is negative");
    }
    try {
      return !closed && session.isValid();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /**
   * Limits the time for running a statement and for fetching the next row. When the limit is
   * exceeded the connection is closed, and the waiting call fails with 08006. A result that is
   * already being read keeps its previous limit.
   *
   * @param executor closes the connection; may be null if the limit is 0, which means no limit
   */
  public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
    checkOpen();
    if (milliseconds < 0) {
      throw SqlExceptions.badParameter("the timeout is negative");
    }
    if (executor == null && milliseconds > 0) {
      throw SqlExceptions.badParameter("the executor is null");
    }
    if (watchdog != null) {
      watchdog.stop();
    }
    networkTimeout = milliseconds;
    watchdog =
        milliseconds == 0
            ? null
            : RequestWatchdog.start(
                TimeUnit.MILLISECONDS.toNanos(milliseconds),
                () ->
                    lose(
                        executor,
                        "no response within its network timeout of " + milliseconds + " ms"));
  }

  /** Returns the network timeout in milliseconds; 0 for none. */
  public int networkTimeout() {
    return networkTimeout;
  }

  /** Closes the connection from any thread, even while a statement runs. */
  public void abort(Executor executor) throws SQLException {
    if (executor == null) {
      throw SqlExceptions.badParameter("the executor is null");
    }
    try {
      lose(executor, "it was aborted");
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  private void lose(Executor executor, String reason) {
    if (closed) {
      return;
    }
    lost = reason;
    closed = true;
    try {
      executor.execute(this::endSession);
    } catch (Throwable e) {
      LOG.debug("the executor does not end the session", e);
      endSession();
    }
  }

  /**
   * Runs in the caller's executor, which should not see failures of a connection that is lost
   * anyway.
   */
  private void endSession() {
    try {
      session.abort();
      closeOwnDatabase();
    } catch (Throwable e) {
      LOG.debug("cannot end the session of a lost connection", e);
    }
  }

  private void closeOwnDatabase() {
    if (databaseUse == DatabaseUse.PRIVATE) {
      database.close();
    }
  }

  public void close() throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (watchdog != null) {
        watchdog.stop();
      }
      transactionEnded();
      closeSession();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private void closeSession() {
    try {
      session.close();
    } catch (FabricException e) {
      // The pool is lost together with the resources to release; earlier statements have reported
      // that.
      LOG.debug("cannot close its pool", e);
    } finally {
      closeOwnDatabase();
    }
  }

  public boolean isClosed() {
    return closed;
  }
}
