package org.nelumbo.jdbc.connection;

import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.NClob;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.ShardingKey;
import java.sql.Struct;
import java.util.Map;
import org.nelumbo.jdbc.value.AbstractWrapper;
import org.nelumbo.jdbc.value.MemoryBlob;
import org.nelumbo.jdbc.value.MemoryClob;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * Stateless base class with the methods of {@link Connection} for unsupported features: locators,
 * structured types, type maps, sharding keys.
 */
abstract class UnsupportedConnectionFeatures extends AbstractWrapper implements Connection {
  abstract void checkOpen() throws SQLException;

  @Override
  public Clob createClob() throws SQLException {
    checkOpen();
    return new MemoryClob("");
  }

  @Override
  public Blob createBlob() throws SQLException {
    checkOpen();
    return new MemoryBlob(new byte[0]);
  }

  @Override
  public NClob createNClob() throws SQLException {
    checkOpen();
    return new MemoryClob("");
  }

  @Override
  public SQLXML createSQLXML() throws SQLException {
    checkOpen();
    throw SqlExceptions.unsupported("XML");
  }

  @Override
  public Array createArrayOf(String typeName, Object[] elements) throws SQLException {
    checkOpen();
    throw SqlExceptions.unsupported("ARRAY");
  }

  @Override
  public Struct createStruct(String typeName, Object[] attributes) throws SQLException {
    checkOpen();
    throw SqlExceptions.unsupported("a structured type");
  }

  @Override
  public Map<String, Class<?>> getTypeMap() throws SQLException {
    checkOpen();
    return Map.of();
  }

  @Override
  public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
    checkOpen();
    checkNoTypeMap(map);
  }

  private SQLException noShards() throws SQLException {
    checkOpen();
    return SqlExceptions.unsupported("a sharding key");
  }

  @Override
  public boolean setShardingKeyIfValid(ShardingKey key, ShardingKey superKey, int seconds)
      throws SQLException {
    throw noShards();
  }

  @Override
  public boolean setShardingKeyIfValid(ShardingKey key, int seconds) throws SQLException {
    throw noShards();
  }

  @Override
  public void setShardingKey(ShardingKey key, ShardingKey superKey) throws SQLException {
    throw noShards();
  }

  @Override
  public void setShardingKey(ShardingKey key) throws SQLException {
    throw noShards();
  }
}
