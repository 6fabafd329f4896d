package org.nelumbo.jdbc;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.planner.ResultColumn;
import org.nelumbo.planner.Rows;

/**
 * Where a result set stands: it is opened on {@link Rows}, moves from row to row and is closed.
 * Forward-only ones read the rows as they come, scrollable ones from a copy ({@link BufferedRows}).
 */
abstract class ResultCursor extends LabelledResultSet {
  /** The rows; the one they are on is the current one. */
  Rows rows;

  /** Types of the columns. */
  ColumnType[] types;

  /** Whether the column {@link #read} last is NULL in the current row. */
  boolean wasNull;

  private final StatementRun statement;
  private final boolean scrollable;
  private BufferedRows buffer;
  private List<ResultColumn> columns;
  private ColumnLabels labels;
  private Runnable onClose;
  private boolean open;
  private boolean onRow;
  private int rowNumber;
  private int fetchSize;
  private int fetchDirection = FETCH_FORWARD;

  /** {@code statement} may be null, for metadata results. */
  ResultCursor(StatementRun statement, boolean scrollable) {
    this.statement = statement;
    this.scrollable = scrollable;
  }

  /** Begins a result; {@code whenClosed} runs once when it is closed. */
  final void begin(Rows newRows, List<ResultColumn> newColumns, Runnable whenClosed)
      throws SQLException {
    if (columns != newColumns) {
      columns = newColumns;
      labels = null;
      types = newColumns.stream().map(ResultColumn::type).toArray(ColumnType[]::new);
    }
    onClose = whenClosed;
    open = true;
    onRow = false;
    rowNumber = 0;
    if (scrollable) {
      try {
        buffer = BufferedRows.of(newRows, newColumns);
      } catch (RuntimeException | InternalError e) {
        close();
        throw failed(e);
      }
      rows = buffer;
    } else {
      rows = newRows;
    }
  }

  private void checkOpen() throws SQLException {
    if (!open) {
      throw Errors.of(ErrorCode.INVALID_CURSOR, "the result set is closed");
    }
  }

  @Override
  public boolean next() throws SQLException {
    checkOpen();
    try {
      onRow = rows.next();
    } catch (RuntimeException | InternalError e) {
      onRow = false;
      throw failed(e);
    }
    if (onRow) {
      rowNumber++;
    }
    return onRow;
  }

  @Override
  public void close() throws SQLException {
    if (!open) {
      return;
    }
    try {
      end();
    } finally {
      if (statement != null) {
        statement.resultClosed();
      }
    }
  }

  /** Closes without telling the statement, which does it itself. */
  final void closeByStatement() throws SQLException {
    if (open) {
      end();
    }
  }

  private void end() throws SQLException {
    transactionEnded();
    try {
      if (onClose != null) {
        onClose.run();
      }
    } catch (RuntimeException | InternalError e) {
      throw failed(e);
    }
  }

  /** The transaction in which the rows were read has ended, and the rows with it. */
  final void transactionEnded() {
    open = false;
    onRow = false;
    buffer = null;
  }

  private SQLException failed(Throwable e) {
    return statement == null ? Errors.internal(e) : statement.connection.failed(e);
  }

  @Override
  public boolean isClosed() {
    return !open || (statement != null && statement.isClosed());
  }

  /** The index from 0 of a column that is about to be read; notes whether it is NULL. */
  final int read(int column) throws SQLException {
    if (!onRow) {
      checkOpen();
      throw Errors.of(
          ErrorCode.INVALID_CURSOR, "the result set is not on a row; call next() first");
    }
    if (column < 1 || column > types.length) {
      throw Errors.of(
          ErrorCode.BAD_INDEX,
          "there is no column " + column + "; the result has " + columns.size());
    }
    wasNull = rows.isNull(column - 1);
    return column - 1;
  }

  @Override
  public int findColumn(String label) throws SQLException {
    checkOpen();
    if (labels == null) {
      labels = new ColumnLabels(columns);
    }
    return labels.find(label) + 1;
  }

  @Override
  public boolean wasNull() throws SQLException {
    checkOpen();
    return wasNull;
  }

  @Override
  public ResultSetMetaData getMetaData() throws SQLException {
    checkOpen();
    return new NelumboResultSetMetaData(columns);
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

  @Override
  public String getCursorName() throws SQLException {
    throw Errors.unsupported("a named cursor");
  }

  private BufferedRows scroll() throws SQLException {
    checkOpen();
    if (buffer == null) {
      throw Errors.of(
          ErrorCode.INVALID_CURSOR,
          "the result set is forward-only; create the statement with TYPE_SCROLL_INSENSITIVE");
    }
    return buffer;
  }

  private boolean moved(boolean toRow) {
    onRow = toRow;
    rowNumber = toRow ? buffer.position() + 1 : 0;
    return toRow;
  }

  @Override
  public boolean isBeforeFirst() throws SQLException {
    BufferedRows all = scroll();
    return all.size() > 0 && all.position() < 0;
  }

  @Override
  public boolean isAfterLast() throws SQLException {
    BufferedRows all = scroll();
    return all.size() > 0 && all.position() >= all.size();
  }

  @Override
  public boolean isFirst() throws SQLException {
    return scroll().position() == 0 && onRow;
  }

  @Override
  public boolean isLast() throws SQLException {
    return onRow && scroll().position() == scroll().size() - 1;
  }

  @Override
  public void beforeFirst() throws SQLException {
    moved(scroll().moveTo(-1));
  }

  @Override
  public void afterLast() throws SQLException {
    moved(scroll().moveTo(scroll().size()));
  }

  @Override
  public boolean first() throws SQLException {
    return moved(scroll().moveTo(0));
  }

  @Override
  public boolean last() throws SQLException {
    return moved(scroll().moveTo(scroll().size() - 1));
  }

  @Override
  public int getRow() throws SQLException {
    checkOpen();
    return onRow ? rowNumber : 0;
  }

  @Override
  public boolean absolute(int row) throws SQLException {
    return moved(scroll().moveTo(row >= 0 ? row - 1 : scroll().size() + row));
  }

  @Override
  public boolean relative(int count) throws SQLException {
    return moved(scroll().moveTo(scroll().position() + count));
  }

  @Override
  public boolean previous() throws SQLException {
    return relative(-1);
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    checkOpen();
    if (direction != FETCH_FORWARD && buffer == null) {
      throw Errors.badParameter("a forward-only result set can only be fetched forward");
    }
    fetchDirection = direction;
  }

  @Override
  public int getFetchDirection() throws SQLException {
    checkOpen();
    return fetchDirection;
  }

  @Override
  public void setFetchSize(int count) throws SQLException {
    checkOpen();
    if (count < 0) {
      throw Errors.badParameter("the fetch size is negative");
    }
    fetchSize = count;
  }

  @Override
  public int getFetchSize() throws SQLException {
    checkOpen();
    return fetchSize;
  }

  @Override
  public int getType() throws SQLException {
    checkOpen();
    return scrollable ? TYPE_SCROLL_INSENSITIVE : TYPE_FORWARD_ONLY;
  }

  @Override
  public int getHoldability() throws SQLException {
    checkOpen();
    return CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public Statement getStatement() throws SQLException {
    checkOpen();
    return statement;
  }
}
