package org.nelumbo.jdbc;

import java.sql.SQLException;
import java.sql.Wrapper;

/** Base of JDBC objects that wrap only themselves. */
abstract class AbstractWrapper implements Wrapper {
  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw SqlExceptions.badParameter("not a wrapper for " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
