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
 * its end. Statements report here when they start and finish; the end of a transaction reaches open
 * results from here. In auto-commit mode none of its ends does: each closes the result of its own
 * statement at most, the others are in memory.
 */
public final class ConnectionCore {
  /** Whoever closes the database. */
  public enum DatabaseUse {
    /** The database is this connection's alone, and is closed with it. */
    PRIVATE,
    /** Other connections may use it, too; it stays open. */
    SHARED
  }

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionCore.class);

  private final Database database;
  private final Session session;
  private final DatabaseUse databaseUse;
  private final OpenStatements statements = new OpenStatements();

  /** How many times a transaction has ended and closed the results that were read in it. */
  private final AtomicLong resultsEnded = new AtomicLong();

  private int networkTimeout;

  /** Watches requests; null without a network timeout. */
  private RequestWatchdog watchdog;

  /** Whether open results are in memory, so that what runs now may fail without closing them. */
  private boolean keepsResults;

  /** Why the connection was closed, if its user did not do it. */
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

  /** Notes that a statement is about to run. */
  void statementStarted() {
    if (watchdog != null) {
      watchdog.begin();
    }
  }

  /** Notes that a statement has run; its result may still be read. */
  void statementFinished() {
    if (watchdog != null) {
      watchdog.end();
    }
  }

  /** Rows whose reading counts for the network timeout, if there is one. */
  Rows watched(Rows rows) {
    return watchdog == null ? rows : new WatchedRows(rows, watchdog);
  }

  /** Closes open results, because the transaction they were read in has ended. */
  public void transactionEnded() {
    resultsEnded.incrementAndGet();
  }

  /**
   * Returns the number of times that results were closed by the end of a transaction: a result is
   * open as long as it stays the same.
   */
  long resultsEnded() {
    return resultsEnded.get();
  }

  /**
   * Begins a part of a batch that runs in a transaction of its own: open results are in memory, and
   * stay open whatever happens to it.
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
   * The exception to throw for anything that was thrown: all that leaves the driver passes here or
   * {@link SqlExceptions#unexpected}. An {@code SQLException} is thrown as it is. If an error ended
   * the transaction, its results are closed; one that nobody expected ends it.
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
    if (e instanceof NelumboException known) {
      if (!session.autoCommit() && known.code().endsTransaction()) {
        failureEndsTransaction();
      }
      return SqlExceptions.of(known);
    }
    transactionEnded();
    if (e instanceof InternalError) {
      database.abandon();
      return SqlExceptions.unusable(database.places(), e);
    }
    NelumboException error = UnexpectedErrors.of(e);
    if (!(e instanceof FabricException)) {
      endTransaction(error);
    }
    return SqlExceptions.of(error);
  }

  /**
   * The exception for what {@code commit} has thrown: it may have come too late to undo anything.
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

  /** Something that may fail in any way. */
  @FunctionalInterface
  public interface Action<T> {
    T run() throws SQLException;
  }

  /** Does something on an open connection, and converts its failures. */
  public <T> T guarded(Action<T> action) throws SQLException {
    checkOpen();
    try {
      return action.run();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Calls the session, and converts its failures. */
  public void inSession(Runnable action) throws SQLException {
    try {
      action.run();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /**
   * Calls the session to end the transaction or to take back a part of it, then closes open
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
   * Limits how long a statement may run, and how long the next row may take to come. When the limit
   * is exceeded the connection is closed, and the waiting call fails with 08006. A result being
   * read keeps the limit it began with.
   *
   * @param executor closes the connection; may be null if the limit is 0, which is none
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
                        "no answer within its network timeout of " + milliseconds + " ms"));
  }

  /** The network timeout in milliseconds; 0 for none. */
  public int networkTimeout() {
    return networkTimeout;
  }

  /** Closes the connection from any thread, also while a statement runs. */
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

  /** By an executor of the caller's, which should not see failures of what is lost anyway. */
  private void endSession() {
    try {
      session.abort();
      closeOwnDatabase();
    } catch (Throwable e) {
      LOG.debug("the session of a lost connection does not end well", e);
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
      // The pool is lost, and with it what was to be given back; statements have said so.
      LOG.debug("closed without its pool", e);
    } finally {
      closeOwnDatabase();
    }
  }

  public boolean isClosed() {
    return closed;
  }
}
