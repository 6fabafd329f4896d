package org.nelumbo.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;

/**
 * The part of {@link ResultSet} that changes large values, by streams and locators: not supported,
 * since every result is read-only.
 */
abstract class ReadOnlyLargeValues extends Wrapped implements ResultSet {
  static SQLException readOnly() {
    return Errors.unsupported("changing rows through a result set");
  }

  @Override
  public void updateArray(String column, Array value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateArray(int column, Array value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(String column, InputStream value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(String column, InputStream value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(String column, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(int column, InputStream value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(int column, InputStream value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(int column, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(String column, InputStream value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(String column, InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(String column, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(int column, InputStream value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(int column, InputStream value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(int column, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(String column, InputStream value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(String column, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(String column, Blob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(int column, InputStream value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(int column, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(int column, Blob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(String column, Reader value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(String column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(String column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(int column, Reader value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(int column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(int column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(String column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(String column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(String column, Clob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(int column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(int column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(int column, Clob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(String column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(String column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(int column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(int column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(String column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(String column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(String column, NClob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(int column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(int column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(int column, NClob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRef(String column, Ref value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRef(int column, Ref value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRowId(String column, RowId value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRowId(int column, RowId value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateSQLXML(String column, SQLXML value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateSQLXML(int column, SQLXML value) throws SQLException {
    throw readOnly();
  }
}
