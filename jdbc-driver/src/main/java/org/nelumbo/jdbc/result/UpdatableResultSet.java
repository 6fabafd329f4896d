package org.nelumbo.jdbc.result;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import org.nelumbo.jdbc.value.AbstractWrapper;
import org.nelumbo.jdbc.value.DecimalRounding;
import org.nelumbo.jdbc.value.LargeObjects;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * Stateless base class with the methods of {@link ResultSet} that set a column of the current row
 * or of the insert row. Streams are read to their end immediately. The state is in {@link
 * RowChanges}.
 */
abstract class UpdatableResultSet extends AbstractWrapper implements ResultSet {
  /** Supplies a new value; it may fail. */
  @FunctionalInterface
  interface ValueSource {
    Object get() throws SQLException;
  }

  /** Stores a new value of a column for updateRow or insertRow. */
  abstract void update(int column, ValueSource value) throws SQLException;

  abstract void checkOpen() throws SQLException;

  private void update(String column, ValueSource value) throws SQLException {
    update(findColumn(column), value);
  }

  private static String ascii(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.US_ASCII);
  }

  private static Object scaled(Object value, int scale) throws SQLException {
    try {
      return value instanceof BigDecimal number ? DecimalRounding.scaled(number, scale) : value;
    } catch (RuntimeException | Error e) {
      throw SqlExceptions.ofCaller("the value", e);
    }
  }

  @Override
  public boolean rowUpdated() throws SQLException {
    checkOpen();
    return false;
  }

  @Override
  public boolean rowInserted() throws SQLException {
    checkOpen();
    return false;
  }

  @Override
  public boolean rowDeleted() throws SQLException {
    checkOpen();
    return false;
  }

  @Override
  public void updateBigDecimal(String column, BigDecimal value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateBigDecimal(int column, BigDecimal value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateBoolean(String column, boolean value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateBoolean(int column, boolean value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateByte(String column, byte value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateByte(int column, byte value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateBytes(String column, byte[] value) throws SQLException {
    update(column, () -> value == null ? null : value.clone());
  }

  @Override
  public void updateBytes(int column, byte[] value) throws SQLException {
    update(column, () -> value == null ? null : value.clone());
  }

  @Override
  public void updateDate(String column, Date value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateDate(int column, Date value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateDouble(String column, double value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateDouble(int column, double value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateFloat(String column, float value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateFloat(int column, float value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateInt(String column, int value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateInt(int column, int value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateLong(String column, long value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateLong(int column, long value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateNString(String column, String value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateNString(int column, String value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateNull(String column) throws SQLException {
    update(column, () -> null);
  }

  @Override
  public void updateNull(int column) throws SQLException {
    update(column, () -> null);
  }

  @Override
  public void updateObject(String column, Object value, int length) throws SQLException {
    update(column, () -> scaled(value, length));
  }

  @Override
  public void updateObject(String column, Object value, SQLType type, int length)
      throws SQLException {
    update(column, () -> scaled(value, length));
  }

  @Override
  public void updateObject(String column, Object value, SQLType type) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateObject(String column, Object value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateObject(int column, Object value, int length) throws SQLException {
    update(column, () -> scaled(value, length));
  }

  @Override
  public void updateObject(int column, Object value, SQLType type, int length) throws SQLException {
    update(column, () -> scaled(value, length));
  }

  @Override
  public void updateObject(int column, Object value, SQLType type) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateObject(int column, Object value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateShort(String column, short value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateShort(int column, short value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateString(String column, String value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateString(int column, String value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateTime(String column, Time value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateTime(int column, Time value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateTimestamp(String column, Timestamp value) throws SQLException {
    update(column, () -> value);
  }

  @Override
  public void updateTimestamp(int column, Timestamp value) throws SQLException {
    update(column, () -> value);
  }

  // Large values: streams and locators.

  @Override
  public void updateArray(String column, Array value) throws SQLException {
    throw SqlExceptions.unsupported("ARRAY");
  }

  @Override
  public void updateArray(int column, Array value) throws SQLException {
    throw SqlExceptions.unsupported("ARRAY");
  }

  @Override
  public void updateAsciiStream(String column, InputStream value, int length) throws SQLException {
    update(column, () -> ascii(LargeObjects.bytes(value, length)));
  }

  @Override
  public void updateAsciiStream(String column, InputStream value, long length) throws SQLException {
    update(column, () -> ascii(LargeObjects.bytes(value, length)));
  }

  @Override
  public void updateAsciiStream(String column, InputStream value) throws SQLException {
    update(column, () -> ascii(LargeObjects.bytes(value)));
  }

  @Override
  public void updateAsciiStream(int column, InputStream value, int length) throws SQLException {
    update(column, () -> ascii(LargeObjects.bytes(value, length)));
  }

  @Override
  public void updateAsciiStream(int column, InputStream value, long length) throws SQLException {
    update(column, () -> ascii(LargeObjects.bytes(value, length)));
  }

  @Override
  public void updateAsciiStream(int column, InputStream value) throws SQLException {
    update(column, () -> ascii(LargeObjects.bytes(value)));
  }

  @Override
  public void updateBinaryStream(String column, InputStream value, int length) throws SQLException {
    update(column, () -> LargeObjects.bytes(value, length));
  }

  @Override
  public void updateBinaryStream(String column, InputStream value, long length)
      throws SQLException {
    update(column, () -> LargeObjects.bytes(value, length));
  }

  @Override
  public void updateBinaryStream(String column, InputStream value) throws SQLException {
    update(column, () -> LargeObjects.bytes(value));
  }

  @Override
  public void updateBinaryStream(int column, InputStream value, int length) throws SQLException {
    update(column, () -> LargeObjects.bytes(value, length));
  }

  @Override
  public void updateBinaryStream(int column, InputStream value, long length) throws SQLException {
    update(column, () -> LargeObjects.bytes(value, length));
  }

  @Override
  public void updateBinaryStream(int column, InputStream value) throws SQLException {
    update(column, () -> LargeObjects.bytes(value));
  }

  @Override
  public void updateBlob(String column, InputStream value, long length) throws SQLException {
    update(column, () -> LargeObjects.bytes(value, length));
  }

  @Override
  public void updateBlob(String column, InputStream value) throws SQLException {
    update(column, () -> LargeObjects.bytes(value));
  }

  @Override
  public void updateBlob(String column, Blob value) throws SQLException {
    update(column, () -> LargeObjects.bytes(value));
  }

  @Override
  public void updateBlob(int column, InputStream value, long length) throws SQLException {
    update(column, () -> LargeObjects.bytes(value, length));
  }

  @Override
  public void updateBlob(int column, InputStream value) throws SQLException {
    update(column, () -> LargeObjects.bytes(value));
  }

  @Override
  public void updateBlob(int column, Blob value) throws SQLException {
    update(column, () -> LargeObjects.bytes(value));
  }

  @Override
  public void updateCharacterStream(String column, Reader value, int length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateCharacterStream(String column, Reader value, long length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateCharacterStream(String column, Reader value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateCharacterStream(int column, Reader value, int length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateCharacterStream(int column, Reader value, long length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateCharacterStream(int column, Reader value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateClob(String column, Reader value, long length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateClob(String column, Reader value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateClob(String column, Clob value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateClob(int column, Reader value, long length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateClob(int column, Reader value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateClob(int column, Clob value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateNCharacterStream(String column, Reader value, long length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateNCharacterStream(String column, Reader value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateNCharacterStream(int column, Reader value, long length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateNCharacterStream(int column, Reader value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateNClob(String column, Reader value, long length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateNClob(String column, Reader value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateNClob(String column, NClob value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateNClob(int column, Reader value, long length) throws SQLException {
    update(column, () -> LargeObjects.text(value, length));
  }

  @Override
  public void updateNClob(int column, Reader value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateNClob(int column, NClob value) throws SQLException {
    update(column, () -> LargeObjects.text(value));
  }

  @Override
  public void updateRef(String column, Ref value) throws SQLException {
    throw SqlExceptions.unsupported("REF");
  }

  @Override
  public void updateRef(int column, Ref value) throws SQLException {
    throw SqlExceptions.unsupported("REF");
  }

  @Override
  public void updateRowId(String column, RowId value) throws SQLException {
    throw SqlExceptions.unsupported("ROWID");
  }

  @Override
  public void updateRowId(int column, RowId value) throws SQLException {
    throw SqlExceptions.unsupported("ROWID");
  }

  @Override
  public void updateSQLXML(String column, SQLXML value) throws SQLException {
    throw SqlExceptions.unsupported("XML");
  }

  @Override
  public void updateSQLXML(int column, SQLXML value) throws SQLException {
    throw SqlExceptions.unsupported("XML");
  }
}
