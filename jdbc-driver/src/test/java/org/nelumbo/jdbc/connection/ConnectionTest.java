package org.nelumbo.jdbc.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.nelumbo.database.Database;
import org.nelumbo.jdbc.NelumboDataSource;
import org.nelumbo.jdbc.NelumboDriver;

/** Connections: their URLs, their properties, and the ways they end. */
class ConnectionTest {
  private static final String PRIVATE = "jdbc:nelumbo:mem:?memory=64m";

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static SQLException refused(String url) {
    return assertThrows(SQLException.class, () -> DriverManager.getConnection(url));
  }

  @Test
  void shouldBeFoundByTheDriverManager() throws SQLException {
    assertInstanceOf(NelumboDriver.class, DriverManager.getDriver("jdbc:nelumbo:mem:x"));
  }

  @Test
  void shouldReturnNullForForeignUrls() throws SQLException {
    assertNull(new NelumboDriver().connect("jdbc:other:mem:x", new Properties()));
  }

  @Test
  void shouldListTheKnownPropertiesWhenOneIsUnknown() {
    String message = refused("jdbc:nelumbo:mem:?isolatoin=snapshot").getMessage();
    assertTrue(message.contains("isolatoin"), message);
    assertTrue(message.contains("isolation, protocol, conflict"), message);
  }

  @Test
  void shouldListTheChoicesWhenAValueIsBad() {
    SQLException failure = refused("jdbc:nelumbo:mem:?isolation=dirty");
    assertEquals("08001", failure.getSQLState());
    assertTrue(failure.getMessage().contains("serializable, snapshot"), failure.getMessage());
    assertTrue(refused("jdbc:nelumbo:mem:?memory=much").getMessage().contains("512m"));
    assertTrue(refused("jdbc:nelumbo:mem:?lockTimeout=soon").getMessage().contains("500ms"));
    assertTrue(refused("jdbc:nelumbo:mars:x").getMessage().contains("jdbc:nelumbo:mem:"));
  }

  @Test
  void shouldReadPropertiesFromUrlAndArgument() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("isolation", "snapshot");
    properties.setProperty("user", "ada");
    try (Connection connection = DriverManager.getConnection(PRIVATE, properties)) {
      assertEquals(Connection.TRANSACTION_REPEATABLE_READ, connection.getTransactionIsolation());
      assertEquals("ada", connection.getMetaData().getUserName());
    }
    try (Connection connection =
        DriverManager.getConnection(PRIVATE + "&isolation=serializable", properties)) {
      assertEquals(Connection.TRANSACTION_SERIALIZABLE, connection.getTransactionIsolation());
    }
  }

  @Test
  void shouldIsolatePrivateDatabases() throws SQLException {
    try (Connection one = DriverManager.getConnection(PRIVATE);
        Connection other = DriverManager.getConnection(PRIVATE)) {
      run(one, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
      SQLException failure =
          assertThrows(SQLSyntaxErrorException.class, () -> run(other, "SELECT id FROM t"));
      assertEquals("42S02", failure.getSQLState());
      assertEquals(0, failure.getErrorCode());
    }
  }

  @Test
  void shouldOpenANewDatabaseAfterShutdown() throws SQLException {
    String url = "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m";
    try (Connection connection = DriverManager.getConnection(url)) {
      run(connection, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
      run(connection, "SHUTDOWN");
      assertFalse(connection.isValid(1));
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      run(connection, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
      run(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldRefuseEverythingOnceClosed() throws SQLException {
    Connection connection = DriverManager.getConnection(PRIVATE);
    Statement statement = connection.createStatement();
    connection.close();
    connection.close();
    assertTrue(connection.isClosed());
    assertTrue(statement.isClosed());
    SQLException failure =
        assertThrows(SQLNonTransientConnectionException.class, connection::createStatement);
    assertEquals("08003", failure.getSQLState());
    assertThrows(SQLException.class, () -> statement.execute("VALUES 1"));
    statement.close();
  }

  @Test
  void shouldEndWhenAborted() throws SQLException {
    String url = "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m&conflict=no-wait";
    try (Connection keeper = DriverManager.getConnection(url)) {
      run(keeper, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
      Connection connection = DriverManager.getConnection(url);
      connection.setAutoCommit(false);
      run(connection, "INSERT INTO t VALUES (1)");
      connection.abort(Runnable::run);
      assertTrue(connection.isClosed());
      run(keeper, "INSERT INTO t VALUES (1)");
      run(keeper, "SHUTDOWN");
    }
  }

  @Test
  void shouldStoreNetworkTimeout() throws SQLException {
    try (Connection connection = DriverManager.getConnection(PRIVATE)) {
      assertEquals(0, connection.getNetworkTimeout());
      connection.setNetworkTimeout(Runnable::run, 5000);
      assertEquals(5000, connection.getNetworkTimeout());
      run(connection, "VALUES 1");
      assertThrows(SQLException.class, () -> connection.setNetworkTimeout(Runnable::run, -1));
    }
  }

  @Test
  void shouldStoreClientInfoAndWarnAboutUnknownNames() throws SQLException {
    try (Connection connection = DriverManager.getConnection(PRIVATE)) {
      connection.setClientInfo("ApplicationName", "bench");
      assertEquals("bench", connection.getClientInfo("ApplicationName"));
      assertNull(connection.getWarnings());
      connection.setClientInfo("Colour", "green");
      assertNotNull(connection.getWarnings());
      connection.clearWarnings();
      assertNull(connection.getWarnings());
    }
  }

  @Test
  void shouldSwitchSchemas() throws SQLException {
    try (Connection connection = DriverManager.getConnection(PRIVATE)) {
      assertEquals("PUBLIC", connection.getSchema());
      run(connection, "CREATE SCHEMA shop");
      connection.setSchema("shop");
      assertEquals("SHOP", connection.getSchema());
      run(connection, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
      try (ResultSet tables = connection.getMetaData().getTables(null, "SHOP", "%", null)) {
        assertTrue(tables.next());
        assertEquals("T", tables.getString("TABLE_NAME"));
      }
      SQLException failure =
          assertThrows(SQLException.class, () -> connection.setSchema("nowhere"));
      assertEquals("3F000", failure.getSQLState());
    }
  }

  @Test
  void shouldBeginInTheSchemaOfTheUrl() throws SQLException {
    String url = "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m";
    try (Connection connection = DriverManager.getConnection(url + "&schema=public")) {
      assertEquals("PUBLIC", connection.getSchema());
      run(connection, "CREATE SCHEMA \"shop\"");
      run(connection, "CREATE SCHEMA stock");
      for (String schema : new String[] {"shop", "stock", "STOCK"}) {
        try (Connection other = DriverManager.getConnection(url + "&schema=" + schema)) {
          assertEquals(schema.equals("shop") ? "shop" : "STOCK", other.getSchema());
        }
      }
      SQLException failure = refused(url + "&schema=nowhere");
      assertEquals("08001", failure.getSQLState());
      assertTrue(failure.getMessage().contains("nowhere"), failure.getMessage());
      run(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldReportReadOnlyMode() throws SQLException {
    try (Connection connection = DriverManager.getConnection(PRIVATE)) {
      assertFalse(connection.getMetaData().isReadOnly());
      connection.setReadOnly(true);
      assertTrue(connection.getMetaData().isReadOnly());
    }
  }

  @Test
  void shouldUnwrapToItself() throws SQLException {
    try (Connection connection = DriverManager.getConnection(PRIVATE)) {
      assertTrue(connection.isWrapperFor(NelumboConnection.class));
      assertInstanceOf(NelumboConnection.class, connection.unwrap(Connection.class));
      assertThrows(SQLException.class, () -> connection.unwrap(String.class));
    }
  }

  @Test
  void shouldRejectCreateStructAsUnsupported() throws SQLException {
    try (Connection connection = DriverManager.getConnection(PRIVATE)) {
      SQLException failure =
          assertThrows(
              SQLFeatureNotSupportedException.class,
              () -> connection.createStruct("T", new Object[0]));
      assertEquals("0A000", failure.getSQLState());
    }
  }

  @Test
  void shouldCloseStatementsOnCompletion() throws SQLException {
    try (Connection connection = DriverManager.getConnection(PRIVATE);
        PreparedStatement statement = connection.prepareStatement("VALUES 1")) {
      statement.closeOnCompletion();
      statement.executeQuery().close();
      assertTrue(statement.isClosed());
    }
  }

  @Test
  void shouldConnectThroughADataSource() throws SQLException {
    NelumboDataSource source = new NelumboDataSource();
    source.setUrl(PRIVATE);
    source.setUser("ada");
    try (Connection connection = source.getConnection()) {
      assertEquals("ada", connection.getMetaData().getUserName());
    }
  }

  @Test
  void shouldNotRetainDatabaseAfterShutdown() throws SQLException {
    WeakReference<Database> closed = openAndShutDown("jdbc:nelumbo:mem:" + UUID.randomUUID());
    for (int i = 0; i < 200 && closed.get() != null; i++) {
      System.gc();
    }
    assertNull(closed.get());
  }

  private static WeakReference<Database> openAndShutDown(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url + "?memory=64m")) {
      WeakReference<Database> database = new WeakReference<>(connection.unwrap(Database.class));
      run(connection, "SHUTDOWN");
      return database;
    }
  }
}
