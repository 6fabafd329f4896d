package org.nelumbo.jdbc;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.planner.ResultColumn;
import org.nelumbo.planner.Rows;

/**
 * A result set over {@link Rows}: forward-only ones read them as they come, scrollable ones from a
 * copy ({@link BufferedRows}). A statement uses one object for all its results.
 */
final class NelumboResultSet extends ReadOnlyResultSet {
  private final NelumboStatement statement;
  private final boolean scrollable;
  private Rows rows;
  private BufferedRows buffer;
  private List<ResultColumn> columns;
  private ColumnType[] types;
  private ColumnLabels labels;
  private Runnable onClose;
  private boolean open;
  private boolean onRow;
  private boolean wasNull;
  private int rowNumber;
  private int fetchSize;
  private int fetchDirection = FETCH_FORWARD;

  /** {@code statement} may be null, for metadata results. */
  NelumboResultSet(NelumboStatement statement, boolean scrollable) {
    this.statement = statement;
    this.scrollable = scrollable;
  }

  /** Begins a result; {@code whenClosed} runs once when it is closed. */
  NelumboResultSet open(Rows newRows, List<ResultColumn> newColumns, Runnable whenClosed)
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
      } catch (RuntimeException e) {
        close();
        throw failed(e);
      }
      rows = buffer;
    } else {
      rows = newRows;
    }
    return this;
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
    } catch (RuntimeException e) {
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
  void closeByStatement() throws SQLException {
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
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** The transaction in which the rows were read has ended, and the rows with it. */
  void transactionEnded() {
    open = false;
    onRow = false;
    buffer = null;
  }

  private SQLException failed(RuntimeException e) {
    return statement == null ? Errors.internal(e) : statement.connection.failed(e);
  }

  @Override
  public boolean isClosed() {
    return !open || (statement != null && statement.isClosed());
  }

  /** The index from 0 of a column that is about to be read; notes whether it is NULL. */
  private int read(int column) throws SQLException {
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

  private ColumnType type(int index) {
    return types[index];
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
  public String getString(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : FromRaw.toText(rows, index, type(index));
  }

  @Override
  public boolean getBoolean(int column) throws SQLException {
    int index = read(column);
    return !wasNull && FromRaw.toBoolean(rows, index, type(index));
  }

  @Override
  public byte getByte(int column) throws SQLException {
    return (byte) FromRaw.within(getLong(column), Byte.MIN_VALUE, Byte.MAX_VALUE);
  }

  @Override
  public short getShort(int column) throws SQLException {
    return (short) FromRaw.within(getLong(column), Short.MIN_VALUE, Short.MAX_VALUE);
  }

  @Override
  public int getInt(int column) throws SQLException {
    return (int) FromRaw.within(getLong(column), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  @Override
  public long getLong(int column) throws SQLException {
    int index = read(column);
    return wasNull ? 0 : FromRaw.toLong(rows, index, type(index));
  }

  @Override
  public float getFloat(int column) throws SQLException {
    return (float) getDouble(column);
  }

  @Override
  public double getDouble(int column) throws SQLException {
    int index = read(column);
    return wasNull ? 0 : FromRaw.toDouble(rows, index, type(index));
  }

  @Override
  public BigDecimal getBigDecimal(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : FromRaw.toDecimal(rows, index, type(index));
  }

  @Override
  @Deprecated
  public BigDecimal getBigDecimal(int column, int scale) throws SQLException {
    BigDecimal value = getBigDecimal(column);
    return value == null ? null : value.setScale(scale, RoundingMode.HALF_UP);
  }

  @Override
  public byte[] getBytes(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : FromRaw.toBytes(rows, index, type(index));
  }

  @Override
  public Date getDate(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : Date.valueOf(FromRaw.toDate(rows, index, type(index)));
  }

  @Override
  public Time getTime(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : Time.valueOf(FromRaw.toTime(rows, index, type(index)));
  }

  @Override
  public Timestamp getTimestamp(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : FromRaw.toTimestamp(rows, index, type(index));
  }

  @Override
  public Date getDate(int column, Calendar calendar) throws SQLException {
    int index = read(column);
    return wasNull ? null : Calendars.date(FromRaw.toDate(rows, index, type(index)), calendar);
  }

  @Override
  public Time getTime(int column, Calendar calendar) throws SQLException {
    int index = read(column);
    return wasNull ? null : Calendars.time(FromRaw.toTime(rows, index, type(index)), calendar);
  }

  @Override
  public Timestamp getTimestamp(int column, Calendar calendar) throws SQLException {
    int index = read(column);
    if (wasNull) {
      return null;
    }
    return type(index).kind() == org.nelumbo.executor.row.Kind.TIMESTAMP_LTZ
        ? FromRaw.toTimestamp(rows, index, type(index))
        : Calendars.timestamp(FromRaw.toDateTime(rows, index, type(index)), calendar);
  }

  @Override
  public Object getObject(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : FromRaw.toObject(rows, index, type(index));
  }

  @Override
  public <T> T getObject(int column, Class<T> wanted) throws SQLException {
    int index = read(column);
    if (wanted == null) {
      throw Errors.badParameter("the class is null");
    }
    return wasNull ? null : wanted.cast(FromRaw.toObject(rows, index, type(index), wanted));
  }

  @Override
  public Object getObject(int column, Map<String, Class<?>> map) throws SQLException {
    if (map != null && !map.isEmpty()) {
      throw Errors.unsupported("a type map");
    }
    return getObject(column);
  }

  @Override
  public InputStream getAsciiStream(int column) throws SQLException {
    String text = getString(column);
    return text == null ? null : new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  @Deprecated
  public InputStream getUnicodeStream(int column) throws SQLException {
    String text = getString(column);
    return text == null ? null : new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public InputStream getBinaryStream(int column) throws SQLException {
    byte[] bytes = getBytes(column);
    return bytes == null ? null : new ByteArrayInputStream(bytes);
  }

  @Override
  public Reader getCharacterStream(int column) throws SQLException {
    String text = getString(column);
    return text == null ? null : new StringReader(text);
  }

  @Override
  public String getNString(int column) throws SQLException {
    return getString(column);
  }

  @Override
  public Reader getNCharacterStream(int column) throws SQLException {
    return getCharacterStream(column);
  }

  @Override
  public URL getURL(int column) throws SQLException {
    throw Errors.unsupported("DATALINK");
  }

  @Override
  public Ref getRef(int column) throws SQLException {
    throw Errors.unsupported("REF");
  }

  @Override
  public Blob getBlob(int column) throws SQLException {
    byte[] bytes = getBytes(column);
    return bytes == null ? null : new MemoryBlob(bytes);
  }

  @Override
  public Clob getClob(int column) throws SQLException {
    String text = getString(column);
    return text == null ? null : new MemoryClob(text);
  }

  @Override
  public NClob getNClob(int column) throws SQLException {
    String text = getString(column);
    return text == null ? null : new MemoryClob(text);
  }

  @Override
  public Array getArray(int column) throws SQLException {
    throw Errors.unsupported("ARRAY");
  }

  @Override
  public SQLXML getSQLXML(int column) throws SQLException {
    throw Errors.unsupported("XML");
  }

  @Override
  public RowId getRowId(int column) throws SQLException {
    throw Errors.unsupported("ROWID");
  }

  @Override
  public boolean getBoolean(String label) throws SQLException {
    return getBoolean(findColumn(label));
  }

  @Override
  public byte getByte(String label) throws SQLException {
    return getByte(findColumn(label));
  }

  @Override
  public byte[] getBytes(String label) throws SQLException {
    return getBytes(findColumn(label));
  }

  @Override
  public double getDouble(String label) throws SQLException {
    return getDouble(findColumn(label));
  }

  @Override
  public float getFloat(String label) throws SQLException {
    return getFloat(findColumn(label));
  }

  @Override
  public int getInt(String label) throws SQLException {
    return getInt(findColumn(label));
  }

  @Override
  public InputStream getAsciiStream(String label) throws SQLException {
    return getAsciiStream(findColumn(label));
  }

  @Override
  public InputStream getBinaryStream(String label) throws SQLException {
    return getBinaryStream(findColumn(label));
  }

  @Override
  @Deprecated
  public InputStream getUnicodeStream(String label) throws SQLException {
    return getUnicodeStream(findColumn(label));
  }

  @Override
  public Reader getCharacterStream(String label) throws SQLException {
    return getCharacterStream(findColumn(label));
  }

  @Override
  public Reader getNCharacterStream(String label) throws SQLException {
    return getNCharacterStream(findColumn(label));
  }

  @Override
  public Object getObject(String label) throws SQLException {
    return getObject(findColumn(label));
  }

  @Override
  public <T> T getObject(String label, Class<T> wanted) throws SQLException {
    return getObject(findColumn(label), wanted);
  }

  @Override
  public Object getObject(String label, Map<String, Class<?>> map) throws SQLException {
    return getObject(findColumn(label), map);
  }

  @Override
  public String getNString(String label) throws SQLException {
    return getNString(findColumn(label));
  }

  @Override
  public String getString(String label) throws SQLException {
    return getString(findColumn(label));
  }

  @Override
  public BigDecimal getBigDecimal(String label) throws SQLException {
    return getBigDecimal(findColumn(label));
  }

  @Override
  @Deprecated
  public BigDecimal getBigDecimal(String label, int scale) throws SQLException {
    return getBigDecimal(findColumn(label), scale);
  }

  @Override
  public URL getURL(String label) throws SQLException {
    return getURL(findColumn(label));
  }

  @Override
  public Array getArray(String label) throws SQLException {
    return getArray(findColumn(label));
  }

  @Override
  public Blob getBlob(String label) throws SQLException {
    return getBlob(findColumn(label));
  }

  @Override
  public Clob getClob(String label) throws SQLException {
    return getClob(findColumn(label));
  }

  @Override
  public Date getDate(String label) throws SQLException {
    return getDate(findColumn(label));
  }

  @Override
  public Date getDate(String label, Calendar calendar) throws SQLException {
    return getDate(findColumn(label), calendar);
  }

  @Override
  public NClob getNClob(String label) throws SQLException {
    return getNClob(findColumn(label));
  }

  @Override
  public Ref getRef(String label) throws SQLException {
    return getRef(findColumn(label));
  }

  @Override
  public RowId getRowId(String label) throws SQLException {
    return getRowId(findColumn(label));
  }

  @Override
  public SQLXML getSQLXML(String label) throws SQLException {
    return getSQLXML(findColumn(label));
  }

  @Override
  public Time getTime(String label) throws SQLException {
    return getTime(findColumn(label));
  }

  @Override
  public Time getTime(String label, Calendar calendar) throws SQLException {
    return getTime(findColumn(label), calendar);
  }

  @Override
  public Timestamp getTimestamp(String label) throws SQLException {
    return getTimestamp(findColumn(label));
  }

  @Override
  public Timestamp getTimestamp(String label, Calendar calendar) throws SQLException {
    return getTimestamp(findColumn(label), calendar);
  }

  @Override
  public long getLong(String label) throws SQLException {
    return getLong(findColumn(label));
  }

  @Override
  public short getShort(String label) throws SQLException {
    return getShort(findColumn(label));
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
