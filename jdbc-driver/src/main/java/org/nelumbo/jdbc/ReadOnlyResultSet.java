package org.nelumbo.jdbc;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Time;
import java.sql.Timestamp;

/**
 * The part of {@link ResultSet} that changes rows and plain values: not supported, since every
 * result is read-only.
 */
abstract class ReadOnlyResultSet extends ReadOnlyLargeValues {
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
  public void updateBigDecimal(String column, BigDecimal value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBigDecimal(int column, BigDecimal value) throws SQLException {
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
  public void updateDate(String column, Date value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateDate(int column, Date value) throws SQLException {
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
  public void updateObject(String column, Object value, SQLType type, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(String column, Object value, SQLType type) throws SQLException {
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
  public void updateObject(int column, Object value, SQLType type, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(int column, Object value, SQLType type) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(int column, Object value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRow() throws SQLException {
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
  public void updateTime(String column, Time value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTime(int column, Time value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTimestamp(String column, Timestamp value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTimestamp(int column, Timestamp value) throws SQLException {
    throw readOnly();
  }
}
