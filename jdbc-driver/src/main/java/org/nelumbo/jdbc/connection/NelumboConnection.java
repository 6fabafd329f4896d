package org.nelumbo.jdbc.connection;

import java.sql.CallableStatement;
import java.sql.ClientInfoStatus;
import java.sql.Connection;
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
import org.nelumbo.database.Database;
import org.nelumbo.database.EmbeddedSession;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.metadata.ClientInfo;
import org.nelumbo.jdbc.metadata.NelumboDatabaseMetaData;
import org.nelumbo.jdbc.result.GeneratedKeyColumns;
import org.nelumbo.jdbc.result.ResultSetType;
import org.nelumbo.jdbc.statement.ConnectionCore;
import org.nelumbo.jdbc.statement.EscapeSyntax;
import org.nelumbo.jdbc.statement.NelumboPreparedStatement;
import org.nelumbo.jdbc.statement.NelumboStatement;
import org.nelumbo.jdbc.statement.OpenStatements;
import org.nelumbo.jdbc.url.ConnectionUrl;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.Session;

/**
 * A connection: one session of a database. It creates statements and keeps settings. {@link
 * ConnectionCore} owns the session and closes it, {@link ConnectionTransactions} controls
 * transactions.
 *
 * <p>Only one thread at a time may use the connection, its statements and its results. Any thread
 * may call {@link #close}, {@link #abort}, {@link #isClosed}, {@link #isValid} and {@code
 * Statement.cancel}.
 */
public final class NelumboConnection extends UnsupportedConnectionFeatures {
  private final ConnectionUrl url;
  private final ConnectionCore core;
  private final ConnectionTransactions transactions;
  private final ClientInfo clientInfo = new ClientInfo();
  private SQLWarning warnings;

  /** The connection that statements return: this one, or the handle of a connection pool. */
  private Connection handle = this;

  public NelumboConnection(ConnectionUrl url, ConnectionCore core) {
    this.url = url;
    this.core = core;
    transactions = new ConnectionTransactions(core);
  }

  public void setHandle(Connection given) {
    handle = given;
  }

  public Session session() {
    return core.session();
  }

  /** Resets the connection for its next user. Rolls back, closes statements, restores settings. */
  public void reset(NewSettings settings) throws SQLException {
    Session session = core.session();
    if (!session.autoCommit() || session.inTransaction()) {
      core.inSessionClosingResults(session::rollback);
    }
    setAutoCommit(true);
    core.statements().closeAll();
    setNetworkTimeout(null, 0);
    setReadOnly(settings.readOnly());
    setTransactionIsolation(settings.isolation());
    setSchema(settings.schema());
    clearWarnings();
  }

  /** Settings of a new connection. */
  public record NewSettings(boolean readOnly, int isolation, String schema) {}

  public NewSettings settings() throws SQLException {
    return new NewSettings(isReadOnly(), getTransactionIsolation(), getSchema());
  }

  public OpenStatements statements() {
    return core.statements();
  }

  @Override
  public void checkOpen() throws SQLException {
    core.checkOpen();
  }

  /**
   * Unwraps also the {@link Database}, which gives access to the native API, and the {@link
   * Session} of this connection.
   */
  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    checkOpen();
    if (type == Database.class) {
      return type.cast(core.database());
    }
    return isSession(type) ? type.cast(core.session()) : super.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type == Database.class || isSession(type) || super.isWrapperFor(type);
  }

  private static boolean isSession(Class<?> type) {
    return type == Session.class || type == EmbeddedSession.class;
  }

  // Statements.

  @Override
  public Statement createStatement() throws SQLException {
    return createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
  }

  @Override
  public Statement createStatement(int type, int concurrency) throws SQLException {
    return core.guarded(() -> new NelumboStatement(handle, core, resultType(type, concurrency)));
  }

  @Override
  public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
    checkHoldability(holdability);
    return createStatement(type, concurrency);
  }

  /** A request for more than the nearest supported type adds a warning, as JDBC requires. */
  private ResultSetType resultType(int type, int concurrency) throws SQLException {
    if (type < ResultSet.TYPE_FORWARD_ONLY || type > ResultSet.TYPE_SCROLL_SENSITIVE) {
      throw SqlExceptions.badParameter(type + " is not a type of result sets");
    }
    if (type == ResultSet.TYPE_SCROLL_SENSITIVE) {
      warn("scroll-sensitive result sets are not supported; the result is scroll-insensitive");
    }
    if (concurrency != ResultSet.CONCUR_UPDATABLE && concurrency != ResultSet.CONCUR_READ_ONLY) {
      throw SqlExceptions.badParameter(concurrency + " is not a concurrency of result sets");
    }
    return ResultSetType.of(
        type != ResultSet.TYPE_FORWARD_ONLY, concurrency == ResultSet.CONCUR_UPDATABLE);
  }

  private PreparedStatement prepare(String sql, ResultSetType resultType, GeneratedKeyColumns keys)
      throws SQLException {
    checkOpen();
    try {
      return new NelumboPreparedStatement(
          handle, core, core.session().prepare(EscapeSyntax.translate(sql)), resultType, keys);
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return prepare(sql, ResultSetType.FORWARD_ONLY, GeneratedKeyColumns.NONE);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency)
      throws SQLException {
    return prepare(sql, resultType(type, concurrency), GeneratedKeyColumns.NONE);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    checkHoldability(holdability);
    return prepareStatement(sql, type, concurrency);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
    return prepare(sql, ResultSetType.FORWARD_ONLY, GeneratedKeyColumns.flag(autoGeneratedKeys));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
    return prepare(sql, ResultSetType.FORWARD_ONLY, GeneratedKeyColumns.indexes(columnIndexes));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
    return prepare(sql, ResultSetType.FORWARD_ONLY, GeneratedKeyColumns.names(columnNames));
  }

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    return prepareCall(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
    checkOpen();
    try {
      return FunctionCall.of(sql, query -> prepareStatement(query, type, concurrency));
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    checkHoldability(holdability);
    return prepareCall(sql, type, concurrency);
  }

  @Override
  public String nativeSQL(String sql) throws SQLException {
    return core.guarded(() -> EscapeSyntax.translate(sql));
  }

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    return core.guarded(() -> new NelumboDatabaseMetaData(this, url, core));
  }

  // Transactions.

  @Override
  public void setAutoCommit(boolean on) throws SQLException {
    transactions.setAutoCommit(on);
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    return transactions.getAutoCommit();
  }

  @Override
  public void commit() throws SQLException {
    transactions.commit();
  }

  @Override
  public void rollback() throws SQLException {
    transactions.rollback();
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return transactions.setSavepoint();
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    return transactions.setSavepoint(name);
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    transactions.rollback(savepoint);
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    transactions.releaseSavepoint(savepoint);
  }

  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    transactions.setTransactionIsolation(level);
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    return transactions.getTransactionIsolation();
  }

  @Override
  public void setReadOnly(boolean readOnly) throws SQLException {
    transactions.setReadOnly(readOnly);
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    return transactions.isReadOnly();
  }

  // Settings and warnings.

  private static void checkHoldability(int holdability) throws SQLException {
    if (holdability != ResultSet.CLOSE_CURSORS_AT_COMMIT
        && holdability != ResultSet.HOLD_CURSORS_OVER_COMMIT) {
      throw SqlExceptions.badParameter(holdability + " is not a holdability");
    }
  }

  /** Has no effect: there are no catalogs, and JDBC requires drivers to ignore the call. */
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
      throw SqlExceptions.badParameter("the schema is null");
    }
    core.inSession(
        () -> core.session().setSchema(SchemaNames.resolve(core.database().catalog(), schema)));
  }

  @Override
  public String getSchema() throws SQLException {
    checkOpen();
    return core.session().schema();
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
    if (isClosed()) {
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
    try {
      setAllClientInfo(properties);
    } catch (SQLClientInfoException e) {
      throw e;
    } catch (Throwable e) {
      throw new SQLClientInfoException(
          "the properties cannot be used: " + e, ErrorCode.BAD_PARAMETER.sqlState(), Map.of(), e);
    }
  }

  private void setAllClientInfo(Properties properties) throws SQLClientInfoException {
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

  // Network timeout and closing.

  @Override
  public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
    core.setNetworkTimeout(executor, milliseconds);
  }

  @Override
  public int getNetworkTimeout() throws SQLException {
    checkOpen();
    return core.networkTimeout();
  }

  @Override
  public boolean isValid(int seconds) throws SQLException {
    return core.isValid(seconds);
  }

  @Override
  public void abort(Executor executor) throws SQLException {
    core.abort(executor);
  }

  @Override
  public void close() throws SQLException {
    core.close();
  }

  @Override
  public boolean isClosed() {
    return core.isClosed();
  }
}
