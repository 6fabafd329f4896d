package org.nelumbo.jdbc;

import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.planner.Database;
import org.nelumbo.planner.Rows;
import org.nelumbo.planner.Session;

/**
 * The life of a connection: what runs on it, how failures and the end of a transaction reach what
 * is open, its network timeout, and its end. One thread at a time, but {@link #close}, {@link
 * #abort}, {@link #isClosed} and {@link #isValid} may be called by any.
 */
abstract class ConnectionLife extends UnsupportedConnectionParts {
  private final Database database;
  private final Session session;
  private final boolean ownsDatabase;
  private final OpenStatements statements = new OpenStatements();

  /** The statement that runs or whose result is being read, for {@code cancel}. */
  private final AtomicReference<StatementRun> running = new AtomicReference<>();

  private int networkTimeout;

  /** Null without a network timeout. */
  private RequestWatch watch;

  private int openResults;

  /** Open results are in memory, so that what runs now may fail without closing them. */
  private boolean keepsResults;

  /** Why the connection was closed, if its user did not do it. */
  private volatile String lost;

  private volatile boolean closed;

  ConnectionLife(Database database, Session session, boolean ownsDatabase) {
    this.database = database;
    this.session = session;
    this.ownsDatabase = ownsDatabase;
  }

  final Session session() {
    return session;
  }

  final Database database() {
    return database;
  }

  final OpenStatements statements() {
    return statements;
  }

  @Override
  final void checkOpen() throws SQLException {
    if (closed) {
      throw lost == null
          ? Errors.closed("connection")
          : Errors.of(ErrorCode.CONNECTION_CLOSED, "the connection was closed: " + lost);
    }
  }

  final void starts(StatementRun statement) {
    running.setRelease(statement);
    if (watch != null) {
      watch.begin();
    }
  }

  /** The statement has run; its result may still be read. */
  final void answered() {
    if (watch != null) {
      watch.end();
    }
  }

  final Rows watched(Rows rows) {
    return watch == null ? rows : new WatchedRows(rows, watch);
  }

  final void rests(StatementRun statement) {
    answered();
    if (running.getPlain() == statement) {
      running.setRelease(null);
    }
  }

  /** Cancels what a statement runs; nothing if it does not run. */
  final void cancel(StatementRun statement) {
    if (running.getAcquire() == statement) {
      session.cancel();
    }
  }

  final void resultOpened() {
    openResults++;
  }

  final void resultClosed() {
    openResults--;
  }

  /** Closes results left open: the transaction they were read in is over. */
  final void transactionEnded() {
    if (openResults > 0) {
      statements.transactionEnded();
    }
  }

  /** While some of a batch runs in a transaction that is not the user's. */
  final void keepResults(boolean keeps) {
    keepsResults = keeps;
  }

  private void failureEndsTransaction() {
    if (!keepsResults) {
      transactionEnded();
    }
  }

  /**
   * What to throw for an error of the engine; if it ended the transaction, its results are closed.
   */
  final SQLException failed(Throwable e) {
    if (lost != null) {
      transactionEnded();
      return Errors.of(
          new NelumboException(ErrorCode.CONNECTION_LOST, "the connection was closed: " + lost, e));
    }
    if (e instanceof NelumboException known) {
      if (session.autoCommit() || known.code().endsTransaction()) {
        failureEndsTransaction();
      }
      return Errors.of(known);
    }
    transactionEnded();
    if (e instanceof InternalError) {
      database.abandon();
      return Errors.unusable(database.places(), e);
    }
    return Errors.internal(e);
  }

  @Override
  public boolean isValid(int seconds) throws SQLException {
    if (seconds < 0) {
      throw Errors.badParameter("the timeout is negative");
    }
    return !closed && session.isValid();
  }

  /**
   * The longest a statement may run, or the next row may take to come; after that the connection is
   * closed and whoever waits gets 08006. A result being read keeps the limit it began with.
   *
   * @param executor closes the connection; may be null if the limit is 0, which is none
   */
  @Override
  public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
    checkOpen();
    if (milliseconds < 0) {
      throw Errors.badParameter("the timeout is negative");
    }
    if (executor == null && milliseconds > 0) {
      throw Errors.badParameter("the executor is null");
    }
    if (watch != null) {
      watch.stop();
    }
    networkTimeout = milliseconds;
    watch =
        milliseconds == 0
            ? null
            : RequestWatch.start(
                TimeUnit.MILLISECONDS.toNanos(milliseconds),
                () ->
                    lose(
                        executor,
                        "no answer within its network timeout of " + milliseconds + " ms"));
  }

  @Override
  public int getNetworkTimeout() throws SQLException {
    checkOpen();
    return networkTimeout;
  }

  @Override
  public void abort(Executor executor) throws SQLException {
    if (executor == null) {
      throw Errors.badParameter("the executor is null");
    }
    lose(executor, "it was aborted");
  }

  private void lose(Executor executor, String reason) {
    if (closed) {
      return;
    }
    lost = reason;
    closed = true;
    try {
      executor.execute(this::endSession);
    } catch (RejectedExecutionException e) {
      endSession();
    }
  }

  private void endSession() {
    session.abort();
    closeOwnDatabase();
  }

  private void closeOwnDatabase() {
    if (ownsDatabase) {
      database.close();
    }
  }

  @Override
  public void close() throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    if (watch != null) {
      watch.stop();
    }
    try {
      transactionEnded();
      session.close();
      closeOwnDatabase();
    } catch (FabricException e) {
      // The pool is lost, and with it what was to be given back; statements have said so.
      closeOwnDatabase();
    } catch (RuntimeException | InternalError e) {
      throw failed(e);
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }
}
