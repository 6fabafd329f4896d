package org.nelumbo.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.nelumbo.sql.Identifiers;

/** The properties of a statement. */
abstract class StatementSettings extends Wrapped implements Statement {
  private static final Pattern SIMPLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]|\"\")+\"");

  final NelumboConnection connection;
  final ResultSetType resultType;
  private long maxRows;
  private int maxFieldSize;
  private int queryTimeout;
  private int fetchSize;
  private int fetchDirection = ResultSet.FETCH_FORWARD;
  private boolean escapeProcessing = true;
  private boolean poolable;

  StatementSettings(NelumboConnection connection, ResultSetType resultType) {
    this.connection = connection;
    this.resultType = resultType;
  }

  abstract void checkOpen() throws SQLException;

  /** {@code maxRows} has another value. */
  abstract void settingsChanged();

  final long maxRows() {
    return maxRows;
  }

  /** Longest run, nanoseconds; 0 leaves it to the session. */
  final long timeoutNanos() {
    return TimeUnit.SECONDS.toNanos(queryTimeout);
  }

  /** The text as the engine reads it. */
  final String translated(String sql) throws SQLException {
    if (escapeProcessing) {
      return EscapeSyntax.translate(sql);
    }
    if (sql == null) {
      throw Errors.badParameter("the statement is null");
    }
    return sql;
  }

  private static void checkNotNegative(long value, String what) throws SQLException {
    if (value < 0) {
      throw Errors.badParameter("the " + what + " is negative");
    }
  }

  @Override
  public int getMaxRows() throws SQLException {
    return (int) Math.min(getLargeMaxRows(), Integer.MAX_VALUE);
  }

  @Override
  public long getLargeMaxRows() throws SQLException {
    checkOpen();
    return maxRows;
  }

  @Override
  public void setMaxRows(int max) throws SQLException {
    setLargeMaxRows(max);
  }

  @Override
  public void setLargeMaxRows(long max) throws SQLException {
    checkOpen();
    checkNotNegative(max, "number of rows");
    maxRows = max;
    settingsChanged();
  }

  @Override
  public int getMaxFieldSize() throws SQLException {
    checkOpen();
    return maxFieldSize;
  }

  /** Kept, but values are never cut. */
  @Override
  public void setMaxFieldSize(int max) throws SQLException {
    checkOpen();
    checkNotNegative(max, "size of fields");
    maxFieldSize = max;
  }

  @Override
  public void setEscapeProcessing(boolean enable) throws SQLException {
    checkOpen();
    escapeProcessing = enable;
  }

  @Override
  public int getQueryTimeout() throws SQLException {
    checkOpen();
    return queryTimeout;
  }

  /** Holds for each run of this statement, and for each statement of a batch. */
  @Override
  public void setQueryTimeout(int seconds) throws SQLException {
    checkOpen();
    checkNotNegative(seconds, "timeout");
    queryTimeout = seconds;
  }

  @Override
  public SQLWarning getWarnings() throws SQLException {
    checkOpen();
    return null;
  }

  @Override
  public void clearWarnings() throws SQLException {
    checkOpen();
  }

  /** Means nothing without positioned updates. */
  @Override
  public void setCursorName(String name) throws SQLException {
    checkOpen();
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    checkOpen();
    if (direction < ResultSet.FETCH_FORWARD || direction > ResultSet.FETCH_UNKNOWN) {
      throw Errors.badParameter(direction + " is not a fetch direction");
    }
    fetchDirection = direction;
  }

  @Override
  public int getFetchDirection() throws SQLException {
    checkOpen();
    return fetchDirection;
  }

  /** A hint; rows are read one by one as they are asked for. */
  @Override
  public void setFetchSize(int rows) throws SQLException {
    checkOpen();
    checkNotNegative(rows, "fetch size");
    fetchSize = rows;
  }

  @Override
  public int getFetchSize() throws SQLException {
    checkOpen();
    return fetchSize;
  }

  @Override
  public int getResultSetConcurrency() throws SQLException {
    checkOpen();
    return ResultSet.CONCUR_READ_ONLY;
  }

  @Override
  public int getResultSetType() throws SQLException {
    checkOpen();
    return resultType.code();
  }

  @Override
  public int getResultSetHoldability() throws SQLException {
    checkOpen();
    return ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public Connection getConnection() throws SQLException {
    checkOpen();
    return connection;
  }

  /** Quotes in the name are doubled; a name that is quoted already stays as it is. */
  @Override
  public String enquoteIdentifier(String identifier, boolean alwaysQuote) throws SQLException {
    if (QUOTED.matcher(identifier).matches()) {
      return identifier;
    }
    if (identifier.isEmpty() || identifier.length() > StaticMetadata.MAX_NAME_LENGTH) {
      throw Errors.badParameter(
          "a name has between 1 and " + StaticMetadata.MAX_NAME_LENGTH + " characters");
    }
    return !alwaysQuote && isSimpleIdentifier(identifier)
        ? identifier
        : '"' + identifier.replace("\"", "\"\"") + '"';
  }

  /** Whether the name needs no quotes; SQL reads it in upper case then. */
  @Override
  public boolean isSimpleIdentifier(String identifier) throws SQLException {
    return SIMPLE.matcher(identifier).matches()
        && identifier.length() <= StaticMetadata.MAX_NAME_LENGTH
        && Identifiers.isPlain(identifier.toUpperCase(Locale.ROOT));
  }

  @Override
  public void setPoolable(boolean on) throws SQLException {
    checkOpen();
    poolable = on;
  }

  @Override
  public boolean isPoolable() throws SQLException {
    checkOpen();
    return poolable;
  }
}
