package org.nelumbo.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.Properties;
import java.util.logging.Logger;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.embedded.DatabaseRegistry;
import org.nelumbo.jdbc.metadata.DriverVersion;
import org.nelumbo.jdbc.url.ConnectionProperty;
import org.nelumbo.jdbc.url.ConnectionUrl;
import org.nelumbo.jdbc.value.SqlExceptions;

/** The implementation behind {@link NelumboDriver}. It needs the Java version of the engine. */
final class EngineDriver implements Driver {
  private static final int OF_THE_MANAGER = -1;

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    return connect(url, info, OF_THE_MANAGER);
  }

  /**
   * Opens a connection.
   *
   * @param loginTimeout longest wait in seconds; 0 for no limit, -1 for the timeout of the driver
   *     manager
   */
  Connection connect(String url, Properties info, int loginTimeout) throws SQLException {
    try {
      int seconds = loginTimeout < 0 ? DriverManager.getLoginTimeout() : loginTimeout;
      return acceptsURL(url)
          ? DatabaseRegistry.connect(ConnectionUrl.parse(url, info), seconds)
          : null;
    } catch (Throwable e) {
      throw SqlExceptions.notConnected(e);
    }
  }

  @Override
  public boolean acceptsURL(String url) throws SQLException {
    if (url == null) {
      throw SqlExceptions.of(ErrorCode.CONNECTION_FAILED, "the URL is null");
    }
    return url.startsWith(ConnectionUrl.PREFIX);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
    try {
      return Arrays.stream(ConnectionProperty.values())
          .map(property -> property.info(info == null ? null : info.getProperty(property.key())))
          .toArray(DriverPropertyInfo[]::new);
    } catch (Throwable e) {
      throw SqlExceptions.ofCaller("the properties", e);
    }
  }

  @Override
  public int getMajorVersion() {
    return DriverVersion.MAJOR;
  }

  @Override
  public int getMinorVersion() {
    return DriverVersion.MINOR;
  }

  /** Returns false: a compliant driver supports all of SQL-92 entry level. */
  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("the driver logs through SLF4J", "0A000");
  }
}
