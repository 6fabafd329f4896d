package org.nelumbo.jdbc.value;

import java.sql.SQLException;
import java.sql.Wrapper;
import java.util.Map;

/** Base class of JDBC objects that wrap only themselves. */
public abstract class AbstractWrapper implements Wrapper {
  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (isWrapperFor(type)) {
      return type.cast(this);
    }
    throw SqlExceptions.badParameter("not a wrapper for " + (type == null ? null : type.getName()));
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type != null && type.isInstance(this);
  }

  /** Rejects a map of types to classes unless it is empty or null. */
  protected static void checkNoTypeMap(Map<String, Class<?>> map) throws SQLException {
    boolean empty;
    try {
      empty = map == null || map.isEmpty();
    } catch (Throwable e) {
      throw SqlExceptions.ofCaller("the type map", e);
    }
    if (!empty) {
      throw SqlExceptions.unsupported("a type map");
    }
  }
}
