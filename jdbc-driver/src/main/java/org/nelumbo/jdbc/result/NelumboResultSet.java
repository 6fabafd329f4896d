package org.nelumbo.jdbc.result;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
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
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import org.nelumbo.database.BufferedRows;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.CalendarConversion;
import org.nelumbo.jdbc.value.ColumnConverter;
import org.nelumbo.jdbc.value.DecimalRounding;
import org.nelumbo.jdbc.value.MemoryBlob;
import org.nelumbo.jdbc.value.MemoryClob;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.Rows;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * A result set: the columns and values of the current row of its {@link ResultCursor}.
 *
 * <p>A statement uses one object for all its results, one after the other. {@link #open} begins a
 * result; {@link #close}, the next run of the statement, or the end of the transaction ends it.
 */
public final class NelumboResultSet extends UpdatableResultSet implements RowChanges.RawRows {
  private final ResultSetOwner owner;
  private final ResultSetType type;
  private final ResultCursor cursor;
  private List<ResultColumn> columns;
  private ColumnType[] types;

  private ColumnLabels labels;

  private Runnable onClose;

  private RowChanges changes;

  private boolean open;

  /** Value of {@link ResultSetOwner#resultsEnded} when the result was opened. */
  private long opened;

  private boolean wasNull;

  private int fetchSize;
  private int fetchDirection = FETCH_FORWARD;

  public NelumboResultSet(ResultSetOwner owner, ResultSetType type) {
    this.owner = owner;
    this.type = type;
    cursor = new ResultCursor(type);
  }

  /** Returns a result of rows in memory without a statement: metadata or generated keys. */
  public static NelumboResultSet detached(
      List<Object[]> rows, List<ResultColumn> columns, ResultSetType type) throws SQLException {
    NelumboResultSet result = new NelumboResultSet(ResultSetOwner.NONE, type);
    result.open(new BufferedRows(rows), columns, null);
    return result;
  }

  // Opening and closing.

  /**
   * Begins a result.
   *
   * @param whenClosed runs once when the result is closed; may be null
   */
  public void open(Rows rows, List<ResultColumn> newColumns, Runnable whenClosed)
      throws SQLException {
    if (columns != newColumns) {
      columns = newColumns;
      labels = null;
      types = newColumns.stream().map(ResultColumn::type).toArray(ColumnType[]::new);
    }
    changes = null;
    onClose = whenClosed;
    opened = owner.resultsEnded();
    open = true;
    try {
      cursor.open(rows, newColumns);
    } catch (Throwable e) {
      SQLException failure = owner.failed(e);
      closeAfter(failure);
      throw failure;
    }
  }

  private void closeAfter(SQLException failure) {
    try {
      close();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** Any thread may call this. */
  private boolean isEnded() {
    return opened != owner.resultsEnded();
  }

  @Override
  void checkOpen() throws SQLException {
    if (!open || isEnded()) {
      throw SqlExceptions.of(ErrorCode.INVALID_CURSOR, "the result set is closed");
    }
  }

  @Override
  public void close() throws SQLException {
    if (!open) {
      return;
    }
    endReading();
    try {
      if (onClose != null) {
        onClose.run();
      }
    } catch (Throwable e) {
      throw owner.failed(e);
    } finally {
      owner.resultClosed();
    }
  }

  /** Marks the result as closed; its rows have ended or are about to end. */
  public void endReading() {
    open = false;
    cursor.close();
  }

  @Override
  public boolean isClosed() {
    return !open || isEnded() || owner.isClosed();
  }

  // Position.

  @Override
  public boolean next() throws SQLException {
    checkOpen();
    try {
      if (changes != null) {
        changes.setInserting(false);
      }
      return cursor.next();
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public boolean previous() throws SQLException {
    return relative(-1);
  }

  @Override
  public boolean first() throws SQLException {
    checkOpen();
    return moveTo(0);
  }

  @Override
  public boolean last() throws SQLException {
    checkOpen();
    return moveTo(cursor.size() - 1);
  }

  @Override
  public void beforeFirst() throws SQLException {
    checkOpen();
    moveTo(-1);
  }

  @Override
  public void afterLast() throws SQLException {
    checkOpen();
    moveTo(cursor.size());
  }

  @Override
  public boolean absolute(int row) throws SQLException {
    checkOpen();
    return moveTo(row >= 0 ? row - 1L : (long) cursor.size() + row);
  }

  @Override
  public boolean relative(int count) throws SQLException {
    checkOpen();
    return moveTo((long) cursor.position() + count);
  }

  @Override
  public int getRow() throws SQLException {
    checkOpen();
    return cursor.rowNumber();
  }

  @Override
  public boolean isBeforeFirst() throws SQLException {
    checkOpen();
    return cursor.size() > 0 && cursor.position() < 0;
  }

  @Override
  public boolean isAfterLast() throws SQLException {
    checkOpen();
    return cursor.size() > 0 && cursor.position() >= cursor.size();
  }

  @Override
  public boolean isFirst() throws SQLException {
    checkOpen();
    return cursor.position() == 0 && cursor.isOnRow();
  }

  @Override
  public boolean isLast() throws SQLException {
    checkOpen();
    return cursor.isOnRow() && cursor.position() == cursor.size() - 1;
  }

  private boolean moveTo(long index) throws SQLException {
    try {
      if (changes != null) {
        changes.setInserting(false);
      }
      return cursor.moveTo(index);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  // Properties.

  @Override
  public int getType() throws SQLException {
    checkOpen();
    return type.code();
  }

  @Override
  public int getHoldability() throws SQLException {
    checkOpen();
    return CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public Statement getStatement() throws SQLException {
    checkOpen();
    return owner.statement();
  }

  @Override
  public ResultSetMetaData getMetaData() throws SQLException {
    checkOpen();
    return new NelumboResultSetMetaData(columns);
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    checkOpen();
    if (direction != FETCH_FORWARD && !type.scrolls()) {
      throw SqlExceptions.badParameter("a forward-only result set can only be fetched forward");
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
      throw SqlExceptions.badParameter("the fetch size is negative");
    }
    fetchSize = count;
  }

  @Override
  public int getFetchSize() throws SQLException {
    checkOpen();
    return fetchSize;
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
    throw SqlExceptions.unsupported("a named cursor");
  }

  // Changes of rows.

  /**
   * Returns read-only for an updatable statement, too, if the rows of the query cannot be changed.
   */
  @Override
  public int getConcurrency() throws SQLException {
    checkOpen();
    try {
      changes();
      return CONCUR_UPDATABLE;
    } catch (SQLFeatureNotSupportedException e) {
      return CONCUR_READ_ONLY;
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  private RowChanges changes() throws SQLException {
    checkOpen();
    if (changes == null) {
      if (!type.updatable() || owner.statement() == null) {
        throw SqlExceptions.unsupported(
            "changing rows through a result set that was not created with CONCUR_UPDATABLE");
      }
      changes = RowChanges.of(owner.statement().getConnection(), owner.sql(), columns);
    }
    return changes;
  }

  private RowChanges changesOfRow() throws SQLException {
    RowChanges present = changes();
    if (!cursor.isOnRow()) {
      throw SqlExceptions.of(
          ErrorCode.INVALID_CURSOR,
          present.inserting()
              ? "the result set is on the row to be inserted; call moveToCurrentRow() first"
              : "the result set is not on a row");
    }
    return present;
  }

  /**
   * Returns a value of the current row which, as a parameter, has exactly the same meaning in every
   * time zone.
   */
  private Object current(int column) throws SQLException {
    Rows rows = cursor.rows();
    ColumnType columnType = types[column];
    if (rows.isNull(column)) {
      return null;
    }
    return switch (columnType.kind()) {
      case DATE -> ColumnConverter.toDate(rows, column, columnType);
      case TIME -> ColumnConverter.toTime(rows, column, columnType);
      case TIMESTAMP -> ColumnConverter.toDateTime(rows, column, columnType);
      default -> ColumnConverter.toObject(rows, column, columnType);
    };
  }

  /** Returns the remaining rows as a result in memory. */
  public NelumboResultSet copy() throws SQLException {
    return detached(rawRows(), columns, ResultSetType.FORWARD_ONLY);
  }

  @Override
  public List<Object[]> rawRows() {
    return BufferedRows.read(cursor.rows(), columns);
  }

  @Override
  void update(int column, ValueSource value) throws SQLException {
    try {
      RowChanges present = changes().inserting() ? changes : changesOfRow();
      present.set(column - 1, value.get());
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public void updateRow() throws SQLException {
    try {
      show(changesOfRow().update(this::current));
      changes.clear();
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  private void show(Object[] row) {
    changes.keepExpressions(cursor.buffer().current(), row);
    cursor.buffer().replace(row);
  }

  @Override
  public void deleteRow() throws SQLException {
    try {
      changesOfRow().delete(this::current);
      changes.clear();
      cursor.remove();
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public void refreshRow() throws SQLException {
    try {
      show(changesOfRow().read(this::current));
      changes.clear();
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public void cancelRowUpdates() throws SQLException {
    try {
      changesOfRow().clear();
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public void moveToInsertRow() throws SQLException {
    try {
      changes().setInserting(true);
      cursor.leaveRow();
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public void moveToCurrentRow() throws SQLException {
    try {
      changes().setInserting(false);
      cursor.returnToRow();
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  /** Inserts the row; it becomes the last row of the result. */
  @Override
  public void insertRow() throws SQLException {
    try {
      if (!changes().inserting()) {
        throw SqlExceptions.of(
            ErrorCode.INVALID_CURSOR,
            "the result set is not on the row to be inserted; call moveToInsertRow() first");
      }
      cursor.buffer().append(changes.insert());
      changes.clear();
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  // Values by column number.

  /**
   * Returns the index from 0 of a column that is about to be read, and records whether its value is
   * NULL.
   */
  private int read(int column) throws SQLException {
    if (!cursor.isOnRow() || isEnded()) {
      checkOpen();
      throw SqlExceptions.of(
          ErrorCode.INVALID_CURSOR, "the result set is not on a row; call next() first");
    }
    if (column < 1 || column > types.length) {
      throw SqlExceptions.of(
          ErrorCode.BAD_INDEX,
          "there is no column " + column + "; the result has " + columns.size());
    }
    wasNull = cursor.rows().isNull(column - 1);
    return column - 1;
  }

  @Override
  public boolean wasNull() throws SQLException {
    checkOpen();
    return wasNull;
  }

  @Override
  public String getString(int column) throws SQLException {
    try {
      int index = read(column);
      return wasNull ? null : ColumnConverter.toText(cursor.rows(), index, types[index]);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public boolean getBoolean(int column) throws SQLException {
    try {
      int index = read(column);
      return !wasNull && ColumnConverter.toBoolean(cursor.rows(), index, types[index]);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public byte getByte(int column) throws SQLException {
    return (byte) ColumnConverter.within(getLong(column), Byte.MIN_VALUE, Byte.MAX_VALUE);
  }

  @Override
  public short getShort(int column) throws SQLException {
    return (short) ColumnConverter.within(getLong(column), Short.MIN_VALUE, Short.MAX_VALUE);
  }

  @Override
  public int getInt(int column) throws SQLException {
    return (int) ColumnConverter.within(getLong(column), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  @Override
  public long getLong(int column) throws SQLException {
    try {
      int index = read(column);
      return wasNull ? 0 : ColumnConverter.toLong(cursor.rows(), index, types[index]);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public float getFloat(int column) throws SQLException {
    return (float) getDouble(column);
  }

  @Override
  public double getDouble(int column) throws SQLException {
    try {
      int index = read(column);
      return wasNull ? 0 : ColumnConverter.toDouble(cursor.rows(), index, types[index]);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public BigDecimal getBigDecimal(int column) throws SQLException {
    try {
      int index = read(column);
      return wasNull ? null : ColumnConverter.toDecimal(cursor.rows(), index, types[index]);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  @Deprecated
  public BigDecimal getBigDecimal(int column, int scale) throws SQLException {
    try {
      BigDecimal value = getBigDecimal(column);
      return value == null ? null : DecimalRounding.scaled(value, scale);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public byte[] getBytes(int column) throws SQLException {
    try {
      int index = read(column);
      return wasNull ? null : ColumnConverter.toBytes(cursor.rows(), index, types[index]);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public Date getDate(int column) throws SQLException {
    try {
      int index = read(column);
      return wasNull
          ? null
          : Date.valueOf(ColumnConverter.toDate(cursor.rows(), index, types[index]));
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public Time getTime(int column) throws SQLException {
    try {
      int index = read(column);
      return wasNull
          ? null
          : Time.valueOf(ColumnConverter.toTime(cursor.rows(), index, types[index]));
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public Timestamp getTimestamp(int column) throws SQLException {
    try {
      int index = read(column);
      return wasNull ? null : ColumnConverter.toTimestamp(cursor.rows(), index, types[index]);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public Date getDate(int column, Calendar calendar) throws SQLException {
    try {
      int index = read(column);
      return wasNull
          ? null
          : CalendarConversion.date(
              ColumnConverter.toDate(cursor.rows(), index, types[index]), calendar);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public Time getTime(int column, Calendar calendar) throws SQLException {
    try {
      int index = read(column);
      return wasNull
          ? null
          : CalendarConversion.time(
              ColumnConverter.toTime(cursor.rows(), index, types[index]), calendar);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public Timestamp getTimestamp(int column, Calendar calendar) throws SQLException {
    try {
      int index = read(column);
      if (wasNull) {
        return null;
      }
      return types[index].kind() == Kind.TIMESTAMP_LTZ
          ? ColumnConverter.toTimestamp(cursor.rows(), index, types[index])
          : CalendarConversion.timestamp(
              ColumnConverter.toDateTime(cursor.rows(), index, types[index]), calendar);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public Object getObject(int column) throws SQLException {
    try {
      int index = read(column);
      return wasNull ? null : ColumnConverter.toObject(cursor.rows(), index, types[index]);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public <T> T getObject(int column, Class<T> wanted) throws SQLException {
    try {
      int index = read(column);
      if (wanted == null) {
        throw SqlExceptions.badParameter("the class is null");
      }
      return wasNull
          ? null
          : wanted.cast(ColumnConverter.toObject(cursor.rows(), index, types[index], wanted));
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  public Object getObject(int column, Map<String, Class<?>> map) throws SQLException {
    checkNoTypeMap(map);
    return getObject(column);
  }

  @Override
  public InputStream getAsciiStream(int column) throws SQLException {
    try {
      String text = getString(column);
      return text == null
          ? null
          : new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    } catch (Throwable e) {
      throw owner.failed(e);
    }
  }

  @Override
  @Deprecated
  public InputStream getUnicodeStream(int column) throws SQLException {
    try {
      String text = getString(column);
      return text == null ? null : new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    } catch (Throwable e) {
      throw owner.failed(e);
    }
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
    throw SqlExceptions.unsupported("DATALINK");
  }

  @Override
  public Ref getRef(int column) throws SQLException {
    throw SqlExceptions.unsupported("REF");
  }

  @Override
  public Blob getBlob(int column) throws SQLException {
    try {
      byte[] bytes = getBytes(column);
      return bytes == null ? null : new MemoryBlob(bytes);
    } catch (Throwable e) {
      throw owner.failed(e);
    }
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
    throw SqlExceptions.unsupported("ARRAY");
  }

  @Override
  public SQLXML getSQLXML(int column) throws SQLException {
    throw SqlExceptions.unsupported("XML");
  }

  @Override
  public RowId getRowId(int column) throws SQLException {
    throw SqlExceptions.unsupported("ROWID");
  }

  // Values by label.

  @Override
  public int findColumn(String label) throws SQLException {
    checkOpen();
    try {
      if (labels == null) {
        labels = new ColumnLabels(columns);
      }
      return labels.find(label) + 1;
    } catch (Throwable e) {
      throw owner.failed(e);
    }
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
}
