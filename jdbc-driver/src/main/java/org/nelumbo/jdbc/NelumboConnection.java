package org.nelumbo.jdbc;

import java.sql.ClientInfoStatus;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.planner.Database;
import org.nelumbo.planner.Rows;
import org.nelumbo.planner.Session;

/**
 * A connection: one session of a database. One thread uses it, its statements and its results at a
 * time; {@link #close}, {@link #abort}, {@link #isClosed}, {@link #isValid} and {@code
 * Statement.cancel} may be called by any.
 */
final class NelumboConnection extends UnsupportedConnectionParts {
  private final ConnectionUrl url;
  private final Database database;
  private final Session session;
  private final boolean ownsDatabase;
  private final OpenStatements statements = new OpenStatements();
  private final ClientInfo clientInfo = new ClientInfo();

  /** The statement that runs or whose result is being read, for {@code cancel}. */
  private final AtomicReference<NelumboStatement> running = new AtomicReference<>();

  private SQLWarning warnings;
  private int networkTimeout;

  /** Null without a network timeout. */
  private RequestWatch watch;

  private int openResults;

  /** Why the connection was closed, if its user did not do it. */
  private volatile String lost;

  private volatile boolean closed;

  NelumboConnection(ConnectionUrl url, Database database, Session session, boolean ownsDatabase) {
    this.url = url;
    this.database = database;
    this.session = session;
    this.ownsDatabase = ownsDatabase;
  }

  Session session() {
    return session;
  }

  Database database() {
    return database;
  }

  ConnectionUrl url() {
    return url;
  }

  OpenStatements statements() {
    return statements;
  }

  @Override
  void checkOpen() throws SQLException {
    if (closed) {
      throw lost == null
          ? Errors.closed("connection")
          : Errors.of(ErrorCode.CONNECTION_CLOSED, "the connection was closed: " + lost);
    }
  }

  /** Also gives the {@link Database}, the door to the native API, and this connection's session. */
  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    checkOpen();
    if (type == Database.class) {
      return type.cast(database);
    }
    return type == Session.class ? type.cast(session) : super.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type == Database.class || type == Session.class || super.isWrapperFor(type);
  }

  // Called by statements.

  void starts(NelumboStatement statement) {
    running.setRelease(statement);
    if (watch != null) {
      watch.begin();
    }
  }

  /** The statement has run; its result may still be read. */
  void answered() {
    if (watch != null) {
      watch.end();
    }
  }

  Rows watched(Rows rows) {
    return watch == null ? rows : new WatchedRows(rows, watch);
  }

  void rests(NelumboStatement statement) {
    answered();
    if (running.getPlain() == statement) {
      running.setRelease(null);
    }
  }

  /** Cancels what a statement runs; nothing if it does not run. */
  void cancel(NelumboStatement statement) {
    if (running.getAcquire() == statement) {
      session.cancel();
    }
  }

  void resultOpened() {
    openResults++;
  }

  void resultClosed() {
    openResults--;
  }

  /** Closes results left open: the transaction they were read in is over. */
  void transactionEnded() {
    if (openResults > 0) {
      statements.transactionEnded();
    }
  }

  /**
   * What to throw for an error of the engine; if it ended the transaction, its results are closed.
   */
  SQLException failed(RuntimeException e) {
    if (lost != null) {
      transactionEnded();
      return Errors.of(
          new NelumboException(ErrorCode.CONNECTION_LOST, "the connection was closed: " + lost, e));
    }
    if (e instanceof NelumboException known) {
      if (session.autoCommit() || endsTransaction(known.code())) {
        transactionEnded();
      }
      return Errors.of(known);
    }
    transactionEnded();
    return Errors.internal(e);
  }

  private static boolean endsTransaction(ErrorCode code) {
    return code.isRetryable() || code == ErrorCode.CANCELLED || code == ErrorCode.INTERNAL;
  }

  // Statements.

  @Override
  public Statement createStatement() throws SQLException {
    return createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
  }

  @Override
  public Statement createStatement(int type, int concurrency) throws SQLException {
    checkOpen();
    return new NelumboStatement(this, scrollable(type, concurrency));
  }

  @Override
  public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
    checkHoldability(holdability);
    return createStatement(type, concurrency);
  }

  /**
   * Stronger wishes are fulfilled as far as possible, with a warning, as the specification asks.
   */
  private boolean scrollable(int type, int concurrency) throws SQLException {
    if (type < ResultSet.TYPE_FORWARD_ONLY || type > ResultSet.TYPE_SCROLL_SENSITIVE) {
      throw Errors.badParameter(type + " is not a type of result sets");
    }
    if (type == ResultSet.TYPE_SCROLL_SENSITIVE) {
      warn("scroll-sensitive result sets are not supported; the result is scroll-insensitive");
    }
    if (concurrency == ResultSet.CONCUR_UPDATABLE) {
      warn("updatable result sets are not supported; the result is read-only");
    } else if (concurrency != ResultSet.CONCUR_READ_ONLY) {
      throw Errors.badParameter(concurrency + " is not a concurrency of result sets");
    }
    return type != ResultSet.TYPE_FORWARD_ONLY;
  }

  private static void checkHoldability(int holdability) throws SQLException {
    if (holdability != ResultSet.CLOSE_CURSORS_AT_COMMIT
        && holdability != ResultSet.HOLD_CURSORS_OVER_COMMIT) {
      throw Errors.badParameter(holdability + " is not a holdability");
    }
  }

  private PreparedStatement prepare(String sql, boolean scrollable, GeneratedKeys keys)
      throws SQLException {
    checkOpen();
    try {
      return new NelumboPreparedStatement(
          this, session.prepare(EscapeSyntax.translate(sql)), scrollable, keys);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return prepare(sql, false, GeneratedKeys.NONE);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency)
      throws SQLException {
    return prepare(sql, scrollable(type, concurrency), GeneratedKeys.NONE);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    checkHoldability(holdability);
    return prepareStatement(sql, type, concurrency);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
    return prepare(sql, false, GeneratedKeys.flag(autoGeneratedKeys));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
    return prepare(sql, false, GeneratedKeys.indexes(columnIndexes));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
    return prepare(sql, false, GeneratedKeys.names(columnNames));
  }

  @Override
  public String nativeSQL(String sql) throws SQLException {
    checkOpen();
    return EscapeSyntax.translate(sql);
  }

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    checkOpen();
    return new NelumboDatabaseMetaData(this);
  }

  // Transactions.

  @Override
  public void setAutoCommit(boolean on) throws SQLException {
    checkOpen();
    boolean ends = on && session.inTransaction();
    act(() -> session.setAutoCommit(on), ends);
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    checkOpen();
    return session.autoCommit();
  }

  @Override
  public void commit() throws SQLException {
    checkManual("commit");
    try {
      session.commit();
    } catch (RuntimeException e) {
      throw failed(e);
    } finally {
      transactionEnded();
    }
  }

  @Override
  public void rollback() throws SQLException {
    checkManual("rollback");
    act(session::rollback, true);
  }

  private void checkManual(String what) throws SQLException {
    checkOpen();
    if (session.autoCommit()) {
      throw Errors.of(
          ErrorCode.INVALID_TRANSACTION_STATE,
          what + " needs auto-commit to be off; call setAutoCommit(false) first");
    }
  }

  /** Does something in the session that may end the transaction. */
  private void act(Runnable action, boolean ends) throws SQLException {
    try {
      action.run();
    } catch (RuntimeException e) {
      throw failed(e);
    } finally {
      if (ends) {
        transactionEnded();
      }
    }
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return savepoint(null);
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    if (name == null) {
      throw Errors.badParameter("the savepoint's name is null");
    }
    return savepoint(name);
  }

  private Savepoint savepoint(String name) throws SQLException {
    checkManual("a savepoint");
    try {
      return new NelumboSavepoint(session.setSavepoint(name));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    checkManual("rollback to a savepoint");
    org.nelumbo.planner.Savepoint own = own(savepoint);
    act(() -> session.rollbackTo(own), true);
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    checkManual("releasing a savepoint");
    org.nelumbo.planner.Savepoint own = own(savepoint);
    act(() -> session.release(own), false);
  }

  private static org.nelumbo.planner.Savepoint own(Savepoint savepoint) throws SQLException {
    if (savepoint instanceof NelumboSavepoint own) {
      return own.savepoint();
    }
    throw Errors.of(ErrorCode.NO_SUCH_SAVEPOINT, "the savepoint was not set by this connection");
  }

  /** The two weakest levels, and REPEATABLE READ, mean snapshot isolation. */
  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    checkOpen();
    Isolation isolation =
        switch (level) {
          case TRANSACTION_SERIALIZABLE -> Isolation.SERIALIZABLE;
          case TRANSACTION_REPEATABLE_READ,
              TRANSACTION_READ_COMMITTED,
              TRANSACTION_READ_UNCOMMITTED ->
              Isolation.SNAPSHOT;
          default ->
              throw Errors.badParameter(level + " is not an isolation level of transactions");
        };
    if (isolation != session.isolation()) {
      act(() -> session.setIsolation(isolation), false);
    }
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    checkOpen();
    return session.isolation() == Isolation.SERIALIZABLE
        ? TRANSACTION_SERIALIZABLE
        : TRANSACTION_REPEATABLE_READ;
  }

  @Override
  public void setReadOnly(boolean readOnly) throws SQLException {
    checkOpen();
    act(() -> session.setReadOnly(readOnly), false);
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    checkOpen();
    return session.readOnly();
  }

  // Properties.

  /** There are no catalogs: the call is accepted and means nothing, as the specification asks. */
  @Override
  public void setCatalog(String catalog) throws SQLException {
    checkOpen();
  }

  @Override
  public String getCatalog() throws SQLException {
    checkOpen();
    return null;
  }

  @Override
  public void setSchema(String schema) throws SQLException {
    checkOpen();
    if (schema == null) {
      throw Errors.badParameter("the schema is null");
    }
    act(() -> session.setSchema(SchemaNames.resolve(database.catalog(), schema)), false);
  }

  @Override
  public String getSchema() throws SQLException {
    checkOpen();
    return session.schema();
  }

  @Override
  public void setHoldability(int holdability) throws SQLException {
    checkOpen();
    checkHoldability(holdability);
    if (holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT) {
      warn("result sets are closed when the transaction ends");
    }
  }

  @Override
  public int getHoldability() throws SQLException {
    checkOpen();
    return ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  private void warn(String message) {
    SQLWarning warning = new SQLWarning(message, "01000");
    if (warnings == null) {
      warnings = warning;
    } else {
      warnings.setNextWarning(warning);
    }
  }

  @Override
  public SQLWarning getWarnings() throws SQLException {
    checkOpen();
    return warnings;
  }

  @Override
  public void clearWarnings() throws SQLException {
    checkOpen();
    warnings = null;
  }

  @Override
  public void setClientInfo(String name, String value) throws SQLClientInfoException {
    if (closed) {
      throw new SQLClientInfoException(
          "the connection is closed",
          ErrorCode.CONNECTION_CLOSED.sqlState(),
          Map.of(String.valueOf(name), ClientInfoStatus.REASON_UNKNOWN));
    }
    if (!clientInfo.set(name, value)) {
      warn("unknown client info '" + name + "'; known are " + String.join(", ", ClientInfo.NAMES));
    }
  }

  @Override
  public void setClientInfo(Properties properties) throws SQLClientInfoException {
    for (String name : ClientInfo.NAMES) {
      setClientInfo(name, properties.getProperty(name));
    }
    for (String name : properties.stringPropertyNames()) {
      setClientInfo(name, properties.getProperty(name));
    }
  }

  @Override
  public String getClientInfo(String name) throws SQLException {
    checkOpen();
    return clientInfo.get(name);
  }

  @Override
  public Properties getClientInfo() throws SQLException {
    checkOpen();
    return clientInfo.copy();
  }

  // Life.

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
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }
}
