package org.nelumbo.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.connection.NelumboConnection;
import org.nelumbo.jdbc.url.ConnectionProperty;
import org.nelumbo.jdbc.url.ConnectionUrl;
import org.nelumbo.jdbc.value.AbstractWrapper;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * A source of new connections to one URL, for programs and for connection pools: a bean with the
 * properties {@code url}, {@code user} and {@code password}. Threads may share it once its
 * properties are set.
 */
public final class NelumboDataSource extends AbstractWrapper
    implements DataSource, ConnectionPoolDataSource {
  private final EngineDriver driver = new EngineDriver();
  private String url;
  private String user;
  private String password;
  private PrintWriter logWriter;
  private int loginTimeout;

  public String getUrl() {
    return url;
  }

  public void setUrl(String url) {
    this.url = url;
  }

  public String getUser() {
    return user;
  }

  public void setUser(String user) {
    this.user = user;
  }

  public void setPassword(String password) {
    this.password = password;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return getConnection(user, password);
  }

  @Override
  public Connection getConnection(String asUser, String itsPassword) throws SQLException {
    if (url == null) {
      throw SqlExceptions.of(
          ErrorCode.CONNECTION_FAILED, "the data source has no URL; call setUrl first");
    }
    Properties properties = new Properties();
    if (asUser != null) {
      properties.setProperty(ConnectionProperty.USER.key(), asUser);
    }
    if (itsPassword != null) {
      properties.setProperty(ConnectionProperty.PASSWORD.key(), itsPassword);
    }
    Connection connection = driver.connect(url, properties, loginTimeout);
    if (connection == null) {
      throw SqlExceptions.of(
          ErrorCode.CONNECTION_FAILED, "the URL does not begin with " + ConnectionUrl.PREFIX);
    }
    return connection;
  }

  @Override
  public PooledConnection getPooledConnection() throws SQLException {
    return getPooledConnection(user, password);
  }

  @Override
  public PooledConnection getPooledConnection(String asUser, String itsPassword)
      throws SQLException {
    Connection connection = getConnection(asUser, itsPassword);
    try {
      return new NelumboPooledConnection((NelumboConnection) connection);
    } catch (Throwable e) {
      SQLException failure = SqlExceptions.unexpected(e);
      try {
        connection.close();
      } catch (Throwable alsoThrown) {
        failure.addSuppressed(alsoThrown);
      }
      throw failure;
    }
  }

  @Override
  public PrintWriter getLogWriter() {
    return logWriter;
  }

  /** Stores the writer, but writes nothing to it. */
  @Override
  public void setLogWriter(PrintWriter writer) {
    logWriter = writer;
  }

  @Override
  public void setLoginTimeout(int seconds) {
    loginTimeout = seconds;
  }

  @Override
  public int getLoginTimeout() {
    return loginTimeout;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return driver.getParentLogger();
  }
}
