package org.nelumbo.benchmark.database;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;

/**
 * The database under test. It keeps one connection of its own, because many in-memory databases end
 * with their last connection. Any thread may call {@link #connect}.
 */
public final class Database implements AutoCloseable {
  private final DatabaseUrl url;
  private final Driver driver;
  private final Properties credentials;
  private final IsolationLevel isolation;
  private final Connection keeper;
  private final String productName;
  private final String productVersion;
  private final String driverName;
  private final Dialect dialect;

  private Database(DatabaseUrl url, Driver driver, Properties credentials, IsolationLevel isolation)
      throws SQLException {
    this.url = url;
    this.driver = driver;
    this.credentials = credentials;
    this.isolation = isolation;
    this.keeper = connectWithCredentials();
    DatabaseMetaData metaData = keeper.getMetaData();
    this.productName = metaData.getDatabaseProductName();
    this.productVersion = metaData.getDatabaseProductVersion();
    this.driverName = metaData.getDriverName() + " " + metaData.getDriverVersion();
    this.dialect = Dialect.ofProduct(productName);
  }

  /**
   * Connects to a database.
   *
   * @param credentials user, password and other connection properties; may be empty
   * @throws SQLException if there is no driver, or the database cannot be reached
   */
  public static Database open(
      DatabaseUrl url, DriverFinder drivers, Properties credentials, IsolationLevel isolation)
      throws SQLException {
    return new Database(url, drivers.find(url), credentials, isolation);
  }

  /** Opens a connection without auto-commit, at the requested isolation level. */
  public Connection connect() throws SQLException {
    Connection connection = connectWithCredentials();
    try {
      execute(
          connection, dialect.onConnect().stream().filter(each -> !url.overrides(each)).toList());
      connection.setAutoCommit(false);
      int level = dialect.jdbcLevel(isolation);
      if (connection.getTransactionIsolation() != level) {
        connection.setTransactionIsolation(level);
      }
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Opens a connection that is marked as read-only, if the product supports this. */
  public Connection connectToRead() throws SQLException {
    Connection connection = connect();
    if (dialect.switchesReadOnly()) {
      connection.setReadOnly(true);
    }
    return connection;
  }

  /** Runs statements, each in a transaction of its own. */
  public void executeAll(List<String> statements) throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(true);
      execute(connection, statements);
    }
  }

  public DatabaseUrl url() {
    return url;
  }

  public Dialect dialect() {
    return dialect;
  }

  public String productName() {
    return productName;
  }

  public String productVersion() {
    return productVersion;
  }

  /** Returns the name and version of the JDBC driver. */
  public String driverName() {
    return driverName;
  }

  /** Shuts down an in-memory database and closes the connection that this object keeps. */
  @Override
  public void close() throws SQLException {
    try (keeper) {
      if (url.inMemory()) {
        execute(keeper, dialect.onShutdown());
      }
    }
  }

  private Connection connectWithCredentials() throws SQLException {
    Properties own = new Properties(); // some drivers modify the properties they receive
    own.putAll(credentials);
    Connection connection = driver.connect(url.text(), own);
    if (connection == null) {
      throw new SQLException("the driver does not accept " + url, "08001");
    }
    return connection;
  }

  private static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
