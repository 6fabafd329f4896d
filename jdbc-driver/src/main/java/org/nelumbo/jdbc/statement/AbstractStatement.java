package org.nelumbo.jdbc.statement;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.result.ResultSetType;
import org.nelumbo.jdbc.value.AbstractWrapper;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.parser.dialect.Identifiers;
import org.nelumbo.session.PreparedStatementPlan;

/**
 * The part of {@link Statement} that does not depend on the source of the SQL text: settings, the
 * latest result, and closing. The {@link StatementCore} runs statements and keeps their state.
 */
public abstract class AbstractStatement extends AbstractWrapper implements Statement {
  /** Maximum length of the name of a schema, table, column, index or constraint, in characters. */
  public static final int MAX_NAME_LENGTH = 128;

  private static final Pattern SIMPLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*");
  private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"]++|\"\")++\"");

  final StatementCore core;
  private final Connection connection;
  private int maxFieldSize;
  private int fetchSize;
  private int fetchDirection = ResultSet.FETCH_FORWARD;
  private boolean poolable;

  AbstractStatement(
      Connection connection, ConnectionCore connectionCore, ResultSetType resultType) {
    this.connection = connection;
    core = new StatementCore(connectionCore, this, resultType);
  }

  final void checkOpen() throws SQLException {
    core.checkOpen();
  }

  /** Rejects a plan without rows before it runs. */
  static void checkReturnsRows(PreparedStatementPlan plan) throws SQLException {
    if (!plan.kind().returnsRows()) {
      throw SqlExceptions.of(
          ErrorCode.INVALID_STATEMENT,
          "the statement returns no rows; run it with executeUpdate or execute");
    }
  }

  /** Rejects a plan with rows before it runs. */
  static void checkReturnsNoRows(PreparedStatementPlan plan) throws SQLException {
    if (plan.kind().returnsRows()) {
      throw SqlExceptions.of(
          ErrorCode.INVALID_STATEMENT,
          "the statement returns rows; run it with executeQuery or execute");
    }
  }

  static int toInt(long count) {
    return (int) Math.min(count, Integer.MAX_VALUE);
  }

  // Batches.

  @Override
  public int[] executeBatch() throws SQLException {
    long[] counts = executeLargeBatch();
    try {
      return Arrays.stream(counts).mapToInt(AbstractStatement::toInt).toArray();
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  // Results.

  @Override
  public ResultSet getResultSet() throws SQLException {
    checkOpen();
    return core.result();
  }

  @Override
  public int getUpdateCount() throws SQLException {
    return toInt(getLargeUpdateCount());
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    checkOpen();
    return core.updateCount();
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    return getMoreResults(Statement.CLOSE_CURRENT_RESULT);
  }

  @Override
  public boolean getMoreResults(int current) throws SQLException {
    checkOpen();
    if (current < Statement.CLOSE_CURRENT_RESULT || current > Statement.CLOSE_ALL_RESULTS) {
      throw SqlExceptions.badParameter(current + " is not a constant for the current result");
    }
    try {
      core.getMoreResults(current);
      return false;
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    checkOpen();
    try {
      return core.generatedKeys();
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  // Closing.

  @Override
  public void cancel() throws SQLException {
    checkOpen();
    try {
      core.cancel();
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public void closeOnCompletion() throws SQLException {
    checkOpen();
    core.closeOnCompletion();
  }

  @Override
  public boolean isCloseOnCompletion() throws SQLException {
    checkOpen();
    return core.isCloseOnCompletion();
  }

  @Override
  public boolean isClosed() {
    return core.isClosed();
  }

  @Override
  public void close() throws SQLException {
    try {
      core.close();
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  // Settings.

  private static void checkNotNegative(long value, String what) throws SQLException {
    if (value < 0) {
      throw SqlExceptions.badParameter("the " + what + " is negative");
    }
  }

  @Override
  public int getMaxRows() throws SQLException {
    return (int) Math.min(getLargeMaxRows(), Integer.MAX_VALUE);
  }

  @Override
  public long getLargeMaxRows() throws SQLException {
    checkOpen();
    return core.maxRows();
  }

  @Override
  public void setMaxRows(int max) throws SQLException {
    setLargeMaxRows(max);
  }

  @Override
  public void setLargeMaxRows(long max) throws SQLException {
    checkOpen();
    checkNotNegative(max, "number of rows");
    try {
      core.setMaxRows(max);
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public int getMaxFieldSize() throws SQLException {
    checkOpen();
    return maxFieldSize;
  }

  /** Stores the limit, but values are never truncated. */
  @Override
  public void setMaxFieldSize(int max) throws SQLException {
    checkOpen();
    checkNotNegative(max, "size of fields");
    maxFieldSize = max;
  }

  @Override
  public int getQueryTimeout() throws SQLException {
    checkOpen();
    return core.timeoutSeconds();
  }

  /** Limits each run of this statement, and each statement of a batch. */
  @Override
  public void setQueryTimeout(int seconds) throws SQLException {
    checkOpen();
    checkNotNegative(seconds, "timeout");
    core.setTimeoutSeconds(seconds);
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

  /** Has no effect: positioned updates are not supported. */
  @Override
  public void setCursorName(String name) throws SQLException {
    checkOpen();
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    checkOpen();
    if (direction < ResultSet.FETCH_FORWARD || direction > ResultSet.FETCH_UNKNOWN) {
      throw SqlExceptions.badParameter(direction + " is not a fetch direction");
    }
    fetchDirection = direction;
  }

  @Override
  public int getFetchDirection() throws SQLException {
    checkOpen();
    return fetchDirection;
  }

  /** Stores the hint, which has no effect: rows are produced one by one on demand. */
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
    return core.resultType().concurrency();
  }

  @Override
  public int getResultSetType() throws SQLException {
    checkOpen();
    return core.resultType().code();
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

  /** Encloses a name in quotes and doubles the quotes in it; a quoted name remains unchanged. */
  @Override
  public String enquoteIdentifier(String identifier, boolean alwaysQuote) throws SQLException {
    checkNotNull(identifier);
    try {
      if (QUOTED.matcher(identifier).matches()) {
        return identifier;
      }
      if (identifier.isEmpty() || identifier.length() > MAX_NAME_LENGTH) {
        throw SqlExceptions.badParameter(
            "a name has between 1 and " + MAX_NAME_LENGTH + " characters");
      }
      return !alwaysQuote && isSimpleIdentifier(identifier)
          ? identifier
          : '"' + identifier.replace("\"", "\"\"") + '"';
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  /** Returns true if a name needs no quotes; SQL then reads it in upper case. */
  @Override
  public boolean isSimpleIdentifier(String identifier) throws SQLException {
    checkNotNull(identifier);
    try {
      return SIMPLE.matcher(identifier).matches()
          && identifier.length() <= MAX_NAME_LENGTH
          && Identifiers.isPlain(identifier.toUpperCase(Locale.ROOT));
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public String enquoteLiteral(String text) throws SQLException {
    checkNotNull(text);
    try {
      return Statement.super.enquoteLiteral(text);
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public String enquoteNCharLiteral(String text) throws SQLException {
    checkNotNull(text);
    try {
      return Statement.super.enquoteNCharLiteral(text);
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  private static void checkNotNull(String text) throws SQLException {
    if (text == null) {
      throw SqlExceptions.badParameter("the text to put into quotes is null");
    }
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
