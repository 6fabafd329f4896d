package org.nelumbo.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * The JDBC driver. It registers itself and accepts URLs that begin with {@code jdbc:nelumbo:}.
 *
 * <p>Only this class is compiled for Java 8, and it refers to no other class. On a Java version
 * that is too old for the engine, a connection attempt therefore fails with an error that names the
 * reason. Otherwise {@code DriverManager} would find no suitable driver, because it skips classes
 * that it cannot load.
 */
public final class NelumboDriver implements Driver {
  private static final String PREFIX = "jdbc:nelumbo:";
  private static final String ENGINE = "org.nelumbo.jdbc.EngineDriver";

  static {
    try {
      DriverManager.registerDriver(new NelumboDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Driver engine;

  /** Creates the driver and loads the engine if this Java version can run it. */
  public NelumboDriver() {
    engine = engine();
  }

  private static Driver engine() {
    try {
      return Class.forName(ENGINE).asSubclass(Driver.class).getDeclaredConstructor().newInstance();
    } catch (UnsupportedClassVersionError e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the jar of the Nelumbo driver is not complete", e);
    }
  }

  private Driver checked() throws SQLException {
    if (engine == null) {
      throw new SQLException(
          "Nelumbo needs Java 25 or newer, and this is Java "
              + System.getProperty("java.version")
              + " in "
              + System.getProperty("java.home")
              + ": start the program with a newer one",
          "08001");
    }
    return engine;
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    return acceptsURL(url) ? checked().connect(url, info) : null;
  }

  @Override
  public boolean acceptsURL(String url) throws SQLException {
    return url == null ? checked().acceptsURL(null) : url.startsWith(PREFIX);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
    return checked().getPropertyInfo(url, info);
  }

  @Override
  public int getMajorVersion() {
    return engine == null ? 0 : engine.getMajorVersion();
  }

  @Override
  public int getMinorVersion() {
    return engine == null ? 0 : engine.getMinorVersion();
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
