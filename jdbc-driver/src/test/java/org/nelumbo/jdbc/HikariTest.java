package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.jdbc.connection.NelumboConnection;

/**
 * A HikariCP pool on one named database. Connections do not wait for locks here, so that a lock
 * left behind by a returned connection causes an error at once.
 */
class HikariTest {
  private static final String BYPASS = "com.zaxxer.hikari.aliveBypassWindowMs";
  private static final int SIZE = 8;

  /** A strong reference, because the log manager forgets the level of an unreferenced logger. */
  private static final Logger POOL_LOG = Logger.getLogger("com.zaxxer.hikari");

  private final String url =
      "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m&conflict=no-wait";
  private Connection observer;

  @BeforeEach
  void createTable() throws SQLException {
    POOL_LOG.setLevel(Level.SEVERE);
    System.setProperty(BYPASS, "-1"); // always call isValid at borrow
    observer = DriverManager.getConnection(url);
    run(observer, "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)");
    run(observer, "INSERT INTO t VALUES (1, 10)");
  }

  @AfterEach
  void shutDown() throws SQLException {
    System.clearProperty(BYPASS);
    try (Connection last = DriverManager.getConnection(url)) {
      run(last, "SHUTDOWN");
    }
  }

  private HikariConfig config(int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(60_000);
    return config;
  }

  private long sessions() throws SQLException {
    return number(observer, "SELECT COUNT(*) FROM sys.sessions");
  }

  @Test
  void shouldServeEightThreadsConcurrently() throws Exception {
    CyclicBarrier allConnected = new CyclicBarrier(SIZE);
    try (ExecutorService threads = Executors.newFixedThreadPool(SIZE);
        HikariDataSource pool = new HikariDataSource(config(SIZE))) {
      List<Future<Integer>> runs = new ArrayList<>();
      for (int i = 0; i < SIZE; i++) {
        int id = 100 + i;
        runs.add(
            threads.submit(
                () -> {
                  try (Connection connection = pool.getConnection()) {
                    allConnected.await();
                    return run(connection, "INSERT INTO t VALUES (" + id + ", 1)");
                  }
                }));
      }
      for (Future<Integer> each : runs) {
        assertEquals(1, each.get());
      }
      assertEquals(SIZE, pool.getHikariPoolMXBean().getTotalConnections());
      assertEquals(SIZE, number(observer, "SELECT COUNT(*) FROM t WHERE id >= 100"));
    }
  }

  @Test
  void shouldResetSettingsOfReturnedConnection() throws SQLException {
    run(observer, "CREATE SCHEMA shop");
    HikariConfig config = config(1);
    config.setSchema("PUBLIC"); // HikariCP restores the schema only if it is configured
    try (HikariDataSource pool = new HikariDataSource(config)) {
      Connection raw;
      try (Connection connection = pool.getConnection()) {
        raw = connection.unwrap(NelumboConnection.class);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        connection.setSchema("SHOP");
        connection.setNetworkTimeout(Runnable::run, 60_000);
        connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT); // leaves a warning
        connection.setAutoCommit(false);
        assertEquals(1, number(connection, "SELECT COUNT(*) FROM public.t"));
      }
      try (Connection connection = pool.getConnection()) {
        assertSame(raw, connection.unwrap(NelumboConnection.class));
        assertEquals(Connection.TRANSACTION_SERIALIZABLE, connection.getTransactionIsolation());
        assertFalse(connection.isReadOnly());
        assertEquals("PUBLIC", connection.getSchema());
        assertEquals(0, connection.getNetworkTimeout());
        assertNull(connection.getWarnings());
        assertTrue(connection.getAutoCommit());
        assertEquals(1, run(connection, "UPDATE t SET n = 11 WHERE id = 1"));
      }
    }
  }

  @Test
  void shouldApplyConfiguredDefaults() throws SQLException {
    run(observer, "CREATE SCHEMA shop");
    HikariConfig config = config(1);
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setAutoCommit(false);
    config.setReadOnly(true);
    config.setSchema("SHOP");
    config.setCatalog("anything");
    config.setConnectionInitSql("VALUES 1");
    config.addDataSourceProperty("user", "ada");
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection connection = pool.getConnection()) {
      assertEquals(Connection.TRANSACTION_REPEATABLE_READ, connection.getTransactionIsolation());
      assertFalse(connection.getAutoCommit());
      assertTrue(connection.isReadOnly());
      assertEquals("SHOP", connection.getSchema());
      assertEquals("ada", connection.getMetaData().getUserName());
    }
  }

  @Test
  void shouldReleaseLocksOfConnectionReturnedInTransaction() throws SQLException {
    try (HikariDataSource pool = new HikariDataSource(config(2))) {
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        assertEquals(1, number(connection, "SELECT COUNT(*) FROM t"));
        run(connection, "UPDATE t SET n = 11 WHERE id = 1");
        run(connection, "INSERT INTO t VALUES (2, 20)");
        assertThrows(SQLException.class, () -> run(observer, "DELETE FROM t WHERE id = 1"));
      }
      assertEquals(1, run(observer, "INSERT INTO t VALUES (2, 21)"));
      assertEquals(1, run(observer, "UPDATE t SET n = n + 1 WHERE id = 1 AND n = 10"));
    }
  }

  @Test
  void shouldReleaseEveryLockOfAPhysicalConnectionClosedInATransaction() throws SQLException {
    HikariDataSource pool = new HikariDataSource(config(1));
    Connection connection = pool.getConnection();
    connection.setAutoCommit(false);
    run(connection, "UPDATE t SET n = 11 WHERE id = 1");
    run(connection, "INSERT INTO t VALUES (2, 20)");
    connection.unwrap(NelumboConnection.class).close();
    assertEquals(1, run(observer, "INSERT INTO t VALUES (2, 21)"));
    assertEquals(1, run(observer, "UPDATE t SET n = n + 1 WHERE id = 1 AND n = 10"));
    assertEquals("08003", assertThrows(SQLException.class, connection::close).getSQLState());
    try (Connection next = pool.getConnection()) {
      assertEquals(32, number(next, "SELECT SUM(n) FROM t"));
    }
    pool.close();
  }

  @Test
  void shouldNotLeakSessionsOrStatements() throws SQLException {
    try (HikariDataSource pool = new HikariDataSource(config(2))) {
      for (int i = 0; i < 500; i++) {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(i % 2 == 0);
        PreparedStatement left = connection.prepareStatement("SELECT n FROM t WHERE id = ?");
        left.setInt(1, 1);
        ResultSet rows = left.executeQuery();
        assertTrue(rows.next());
        connection.close();
        assertTrue(left.isClosed() && rows.isClosed());
      }
      assertTrue(sessions() <= 3, "two of the pool, and the observer");
      try (Connection connection = pool.getConnection()) {
        assertTrue(connection.unwrap(NelumboConnection.class).statements().isEmpty());
      }
    }
    assertEquals(1, sessions());
  }

  @Test
  void shouldKeepConnectionsAfterOrdinaryErrors() throws SQLException {
    try (HikariDataSource pool = new HikariDataSource(config(1))) {
      Connection raw;
      try (Connection connection = pool.getConnection()) {
        raw = connection.unwrap(NelumboConnection.class);
        observer.setAutoCommit(false);
        run(observer, "UPDATE t SET n = 11 WHERE id = 1");
        assertState("40001", connection, "UPDATE t SET n = 12 WHERE id = 1");
        assertState("23505", connection, "INSERT INTO t VALUES (5, 1), (5, 2)");
        assertState("42S02", connection, "SELECT * FROM nosuch");
        assertState("42601", connection, "SELEC");
        assertState("22012", connection, "INSERT INTO t VALUES (6, 1 / 0)");
        observer.rollback();
        assertFalse(connection.isClosed());
      }
      try (Connection next = pool.getConnection()) {
        assertSame(raw, next.unwrap(NelumboConnection.class));
      }
    }
  }

  private static void assertState(String state, Connection connection, String sql) {
    SQLException failure = assertThrows(SQLException.class, () -> run(connection, sql), sql);
    assertEquals(state, failure.getSQLState(), failure.getMessage());
    assertEquals(0, failure.getErrorCode());
  }

  @Test
  void shouldKeepConnectionsAfterStatementTimeout() throws SQLException {
    HikariConfig config = config(1);
    config.setJdbcUrl(url.replace("no-wait", "wait-die") + "&queryTimeout=300ms&lockTimeout=1h");
    config.setAutoCommit(false);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      Connection raw;
      try (Connection connection = pool.getConnection()) {
        raw = connection.unwrap(NelumboConnection.class);
        number(connection, "VALUES 1"); // begins first, and may therefore wait
        run(observer, "UPDATE t SET n = 10 WHERE id = 1"); // at a later tick of the clock
        observer.setAutoCommit(false);
        run(observer, "UPDATE t SET n = 11 WHERE id = 1");
        assertThrows(
            SQLTimeoutException.class, () -> run(connection, "UPDATE t SET n = 12 WHERE id = 1"));
        observer.rollback();
      }
      try (Connection next = pool.getConnection()) {
        assertSame(raw, next.unwrap(NelumboConnection.class));
        assertEquals(10, number(next, "SELECT n FROM t WHERE id = 1"));
      }
    }
  }

  @Test
  void shouldReplaceConnectionsOfADatabaseThatWasShutDown() throws SQLException {
    try (HikariDataSource pool = new HikariDataSource(config(2))) {
      try (Connection connection = pool.getConnection()) {
        assertTrue(connection.isValid(1));
      }
      run(observer, "SHUTDOWN");
      assertFalse(observer.isValid(1));
      try (Connection connection = pool.getConnection()) {
        run(connection, "CREATE TABLE fresh (id INTEGER PRIMARY KEY)");
      }
    }
  }
}
