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
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import org.nelumbo.planner.ResultColumn;
import org.nelumbo.planner.Rows;

/**
 * A result set: the values of the row that its cursor is on. A statement uses one object for all
 * its results.
 */
final class NelumboResultSet extends ResultCursor {
  /** {@code statement} may be null, for metadata results. */
  NelumboResultSet(StatementRun statement, boolean scrollable) {
    super(statement, scrollable);
  }

  /** Begins a result; {@code whenClosed} runs once when it is closed. */
  NelumboResultSet open(Rows newRows, List<ResultColumn> newColumns, Runnable whenClosed)
      throws SQLException {
    begin(newRows, newColumns, whenClosed);
    return this;
  }

  @Override
  public String getString(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : FromRaw.toText(rows, index, types[index]);
  }

  @Override
  public boolean getBoolean(int column) throws SQLException {
    int index = read(column);
    return !wasNull && FromRaw.toBoolean(rows, index, types[index]);
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
    return wasNull ? 0 : FromRaw.toLong(rows, index, types[index]);
  }

  @Override
  public float getFloat(int column) throws SQLException {
    return (float) getDouble(column);
  }

  @Override
  public double getDouble(int column) throws SQLException {
    int index = read(column);
    return wasNull ? 0 : FromRaw.toDouble(rows, index, types[index]);
  }

  @Override
  public BigDecimal getBigDecimal(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : FromRaw.toDecimal(rows, index, types[index]);
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
    return wasNull ? null : FromRaw.toBytes(rows, index, types[index]);
  }

  @Override
  public Date getDate(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : Date.valueOf(FromRaw.toDate(rows, index, types[index]));
  }

  @Override
  public Time getTime(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : Time.valueOf(FromRaw.toTime(rows, index, types[index]));
  }

  @Override
  public Timestamp getTimestamp(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : FromRaw.toTimestamp(rows, index, types[index]);
  }

  @Override
  public Date getDate(int column, Calendar calendar) throws SQLException {
    int index = read(column);
    return wasNull ? null : Calendars.date(FromRaw.toDate(rows, index, types[index]), calendar);
  }

  @Override
  public Time getTime(int column, Calendar calendar) throws SQLException {
    int index = read(column);
    return wasNull ? null : Calendars.time(FromRaw.toTime(rows, index, types[index]), calendar);
  }

  @Override
  public Timestamp getTimestamp(int column, Calendar calendar) throws SQLException {
    int index = read(column);
    if (wasNull) {
      return null;
    }
    return types[index].kind() == org.nelumbo.executor.row.Kind.TIMESTAMP_LTZ
        ? FromRaw.toTimestamp(rows, index, types[index])
        : Calendars.timestamp(FromRaw.toDateTime(rows, index, types[index]), calendar);
  }

  @Override
  public Object getObject(int column) throws SQLException {
    int index = read(column);
    return wasNull ? null : FromRaw.toObject(rows, index, types[index]);
  }

  @Override
  public <T> T getObject(int column, Class<T> wanted) throws SQLException {
    int index = read(column);
    if (wanted == null) {
      throw Errors.badParameter("the class is null");
    }
    return wasNull ? null : wanted.cast(FromRaw.toObject(rows, index, types[index], wanted));
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
}
