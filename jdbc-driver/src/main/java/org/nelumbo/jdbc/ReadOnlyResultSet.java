package org.nelumbo.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The part of {@link ResultSet} that changes rows: not supported, since every result is read-only.
 */
abstract class ReadOnlyResultSet extends Wrapped implements ResultSet {
  private static SQLException readOnly() {
    return Errors.unsupported("changing rows through a result set");
  }

  @Override
  public int getConcurrency() throws SQLException {
    return CONCUR_READ_ONLY;
  }

  @Override
  public boolean rowUpdated() throws SQLException {
    return false;
  }

  @Override
  public boolean rowInserted() throws SQLException {
    return false;
  }

  @Override
  public boolean rowDeleted() throws SQLException {
    return false;
  }

  @Override
  public void cancelRowUpdates() throws SQLException {
    throw readOnly();
  }

  @Override
  public void deleteRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void insertRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void moveToCurrentRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void moveToInsertRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void refreshRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateArray(String column, java.sql.Array value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateArray(int column, java.sql.Array value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(String column, java.io.InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(String column, java.io.InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(String column, java.io.InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(int column, java.io.InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(int column, java.io.InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(int column, java.io.InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBigDecimal(String column, java.math.BigDecimal value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBigDecimal(int column, java.math.BigDecimal value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(String column, java.io.InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(String column, java.io.InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(String column, java.io.InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(int column, java.io.InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(int column, java.io.InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(int column, java.io.InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(String column, java.io.InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(String column, java.io.InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(String column, java.sql.Blob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(int column, java.io.InputStream value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(int column, java.io.InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(int column, java.sql.Blob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBoolean(String column, boolean value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBoolean(int column, boolean value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateByte(String column, byte value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateByte(int column, byte value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBytes(String column, byte[] value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBytes(int column, byte[] value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(String column, java.io.Reader value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(String column, java.io.Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(String column, java.io.Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(int column, java.io.Reader value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(int column, java.io.Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(int column, java.io.Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(String column, java.io.Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(String column, java.io.Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(String column, java.sql.Clob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(int column, java.io.Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(int column, java.io.Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(int column, java.sql.Clob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateDate(String column, java.sql.Date value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateDate(int column, java.sql.Date value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateDouble(String column, double value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateDouble(int column, double value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateFloat(String column, float value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateFloat(int column, float value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateInt(String column, int value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateInt(int column, int value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateLong(String column, long value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateLong(int column, long value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(String column, java.io.Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(String column, java.io.Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(int column, java.io.Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(int column, java.io.Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(String column, java.io.Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(String column, java.io.Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(String column, java.sql.NClob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(int column, java.io.Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(int column, java.io.Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(int column, java.sql.NClob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNString(String column, String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNString(int column, String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNull(String column) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNull(int column) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(String column, Object value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(String column, Object value, java.sql.SQLType type, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(String column, Object value, java.sql.SQLType type) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(String column, Object value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(int column, Object value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(int column, Object value, java.sql.SQLType type, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(int column, Object value, java.sql.SQLType type) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(int column, Object value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRef(String column, java.sql.Ref value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRef(int column, java.sql.Ref value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRowId(String column, java.sql.RowId value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRowId(int column, java.sql.RowId value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateSQLXML(String column, java.sql.SQLXML value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateSQLXML(int column, java.sql.SQLXML value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateShort(String column, short value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateShort(int column, short value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateString(String column, String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateString(int column, String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTime(String column, java.sql.Time value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTime(int column, java.sql.Time value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTimestamp(String column, java.sql.Timestamp value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTimestamp(int column, java.sql.Timestamp value) throws SQLException {
    throw readOnly();
  }
}
