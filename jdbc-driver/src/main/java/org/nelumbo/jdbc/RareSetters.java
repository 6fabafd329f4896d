package org.nelumbo.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.Calendar;
import org.nelumbo.executor.row.Kind;
import org.nelumbo.planner.ParameterInfo;

/**
 * Setters of parameters that are made of others: dates, streams and objects with a target type.
 * Streams are read to their end at once.
 */
abstract class RareSetters extends NelumboStatement implements PreparedStatement {
  RareSetters(NelumboConnection connection, ResultSetType resultType) {
    super(connection, resultType);
  }

  /** The parameter of the open statement that a user calls {@code number}, from 1. */
  abstract ParameterInfo info(int number) throws SQLException;

  @Override
  public void setNull(int number, int sqlType, String typeName) throws SQLException {
    setNull(number, sqlType);
  }

  @Override
  public void setBytes(int number, byte[] value) throws SQLException {
    ParameterInfo info = info(number);
    if (value == null) {
      setNull(number, Types.VARBINARY);
    } else {
      ToRaw.setBytes(execution().parameters(), number - 1, info, value.clone());
    }
  }

  @Override
  public void setDate(int number, Date value) throws SQLException {
    setObject(number, value);
  }

  @Override
  public void setTime(int number, Time value) throws SQLException {
    setObject(number, value);
  }

  @Override
  public void setTimestamp(int number, Timestamp value) throws SQLException {
    setObject(number, value);
  }

  @Override
  public void setDate(int number, Date value, Calendar calendar) throws SQLException {
    setObject(number, value == null ? null : Calendars.local(value, calendar).toLocalDate());
  }

  @Override
  public void setTime(int number, Time value, Calendar calendar) throws SQLException {
    setObject(number, value == null ? null : Calendars.local(value, calendar).toLocalTime());
  }

  /**
   * For TIMESTAMP WITH LOCAL TIME ZONE the value is a moment already, and the calendar says
   * nothing.
   */
  @Override
  public void setTimestamp(int number, Timestamp value, Calendar calendar) throws SQLException {
    boolean moment = info(number).type().kind() == Kind.TIMESTAMP_LTZ;
    setObject(number, value == null || moment ? value : Calendars.local(value, calendar));
  }

  @Override
  public void setObject(int number, Object value, int targetType) throws SQLException {
    setObject(number, value);
  }

  /** Numbers are rounded to the scale if the target is DECIMAL or NUMERIC. */
  @Override
  public void setObject(int number, Object value, int targetType, int scale) throws SQLException {
    boolean rounds = targetType == Types.DECIMAL || targetType == Types.NUMERIC;
    if (rounds && value instanceof BigDecimal decimal) {
      setBigDecimal(number, decimal.setScale(scale, RoundingMode.HALF_UP));
    } else {
      setObject(number, value);
    }
  }

  @Override
  public void setObject(int number, Object value, SQLType targetType) throws SQLException {
    setObject(number, value);
  }

  @Override
  public void setObject(int number, Object value, SQLType targetType, int scale)
      throws SQLException {
    setObject(number, value, targetType.getVendorTypeNumber(), scale);
  }

  // Streams.

  private static String text(Reader reader, long length) throws SQLException {
    try {
      StringWriter writer = new StringWriter();
      char[] chunk = new char[8192];
      long left = length < 0 ? Long.MAX_VALUE : length;
      int count = 0;
      while (left > 0 && count >= 0) {
        count = reader.read(chunk, 0, (int) Math.min(chunk.length, left));
        if (count > 0) {
          writer.write(chunk, 0, count);
          left -= count;
        }
      }
      return writer.toString();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static byte[] bytes(InputStream stream, long length) throws SQLException {
    try {
      if (length < 0) {
        return stream.readAllBytes();
      }
      return stream.readNBytes((int) Math.min(length, Integer.MAX_VALUE - 8));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static SQLException unreadable(IOException e) {
    SQLException failure = Errors.badParameter("the stream cannot be read: " + e.getMessage());
    failure.initCause(e);
    return failure;
  }

  private static void checkLength(long length) throws SQLException {
    if (length < 0) {
      throw Errors.badParameter("the length is negative");
    }
  }

  private void setText(int number, Reader reader, long length) throws SQLException {
    setString(number, reader == null ? null : text(reader, length));
  }

  private void setAscii(int number, InputStream stream, long length) throws SQLException {
    setString(
        number,
        stream == null ? null : new String(bytes(stream, length), StandardCharsets.US_ASCII));
  }

  private void setBinary(int number, InputStream stream, long length) throws SQLException {
    setBytes(number, stream == null ? null : bytes(stream, length));
  }

  @Override
  public void setAsciiStream(int number, InputStream stream, int length) throws SQLException {
    setAsciiStream(number, stream, (long) length);
  }

  @Override
  public void setAsciiStream(int number, InputStream stream, long length) throws SQLException {
    checkLength(length);
    setAscii(number, stream, length);
  }

  @Override
  public void setAsciiStream(int number, InputStream stream) throws SQLException {
    setAscii(number, stream, -1);
  }

  @Override
  @Deprecated
  public void setUnicodeStream(int number, InputStream stream, int length) throws SQLException {
    checkLength(length);
    setString(
        number, stream == null ? null : new String(bytes(stream, length), StandardCharsets.UTF_8));
  }

  @Override
  public void setBinaryStream(int number, InputStream stream, int length) throws SQLException {
    setBinaryStream(number, stream, (long) length);
  }

  @Override
  public void setBinaryStream(int number, InputStream stream, long length) throws SQLException {
    checkLength(length);
    setBinary(number, stream, length);
  }

  @Override
  public void setBinaryStream(int number, InputStream stream) throws SQLException {
    setBinary(number, stream, -1);
  }

  @Override
  public void setCharacterStream(int number, Reader reader, int length) throws SQLException {
    setCharacterStream(number, reader, (long) length);
  }

  @Override
  public void setCharacterStream(int number, Reader reader, long length) throws SQLException {
    checkLength(length);
    setText(number, reader, length);
  }

  @Override
  public void setCharacterStream(int number, Reader reader) throws SQLException {
    setText(number, reader, -1);
  }

  @Override
  public void setNCharacterStream(int number, Reader reader, long length) throws SQLException {
    setCharacterStream(number, reader, length);
  }

  @Override
  public void setNCharacterStream(int number, Reader reader) throws SQLException {
    setCharacterStream(number, reader);
  }

  @Override
  public void setNString(int number, String value) throws SQLException {
    setString(number, value);
  }

  // Large objects are values like others.

  @Override
  public void setBlob(int number, Blob value) throws SQLException {
    setBytes(number, value == null ? null : value.getBytes(1, (int) value.length()));
  }

  @Override
  public void setBlob(int number, InputStream stream, long length) throws SQLException {
    setBinaryStream(number, stream, length);
  }

  @Override
  public void setBlob(int number, InputStream stream) throws SQLException {
    setBinaryStream(number, stream);
  }

  @Override
  public void setClob(int number, Clob value) throws SQLException {
    setString(number, value == null ? null : value.getSubString(1, (int) value.length()));
  }

  @Override
  public void setClob(int number, Reader reader, long length) throws SQLException {
    setCharacterStream(number, reader, length);
  }

  @Override
  public void setClob(int number, Reader reader) throws SQLException {
    setCharacterStream(number, reader);
  }

  @Override
  public void setNClob(int number, NClob value) throws SQLException {
    setClob(number, value);
  }

  @Override
  public void setNClob(int number, Reader reader, long length) throws SQLException {
    setCharacterStream(number, reader, length);
  }

  @Override
  public void setNClob(int number, Reader reader) throws SQLException {
    setCharacterStream(number, reader);
  }

  // What there is not.

  @Override
  public void setURL(int number, URL value) throws SQLException {
    throw Errors.unsupported("DATALINK");
  }

  @Override
  public void setRef(int number, Ref value) throws SQLException {
    throw Errors.unsupported("REF");
  }

  @Override
  public void setArray(int number, Array value) throws SQLException {
    throw Errors.unsupported("ARRAY");
  }

  @Override
  public void setRowId(int number, RowId value) throws SQLException {
    throw Errors.unsupported("ROWID");
  }

  @Override
  public void setSQLXML(int number, SQLXML value) throws SQLException {
    throw Errors.unsupported("XML");
  }
}
