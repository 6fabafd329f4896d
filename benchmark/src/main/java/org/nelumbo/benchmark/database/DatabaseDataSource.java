package org.nelumbo.benchmark.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source for a pool; its connections are the same as those of terminals without a pool. */
public final class DatabaseDataSource implements DataSource {
  private final Database database;
  private PrintWriter writer;
  private int timeout;

  public DatabaseDataSource(Database database) {
    this.database = database;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return database.connect();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the benchmark's user is fixed", "0A000");
  }

  @Override
  public PrintWriter getLogWriter() {
    return writer;
  }

  @Override
  public void setLogWriter(PrintWriter out) {
    writer = out;
  }

  @Override
  public int getLoginTimeout() {
    return timeout;
  }

  @Override
  public void setLoginTimeout(int seconds) {
    timeout = seconds;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("no logger", "0A000");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new SQLException("no " + type.getName(), "0A000");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
