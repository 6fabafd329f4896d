package org.nelumbo.jdbc.statement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.jdbc.Statements;

/** Batches through the driver, in transactions and in auto-commit mode. */
class BatchTest {
  /** More rows than one group of auto-commit mode, and not a multiple of the group size. */
  private static final int MANY = 600;

  private final String url = "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m";
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection(url);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private int run(String sql) throws SQLException {
    return Statements.run(connection, sql);
  }

  private String value(String sql) throws SQLException {
    return value(connection, sql);
  }

  private static String value(Connection on, String sql) throws SQLException {
    try (Statement statement = on.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next());
      return rows.getString(1);
    }
  }

  private static void add(PreparedStatement statement, int... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setInt(i + 1, values[i]);
    }
    statement.addBatch();
  }

  @Test
  void shouldRunPreparedBatches() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR(10))");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
      for (int i = 0; i < 100; i++) {
        insert.setInt(1, i);
        insert.setString(2, i % 3 == 0 ? null : "s" + i);
        insert.addBatch();
      }
      int[] counts = insert.executeBatch();
      assertEquals(100, counts.length);
      assertEquals(1, counts[99]);
      assertEquals(0, insert.executeBatch().length);
    }
    assertEquals("s98", value("SELECT s FROM t WHERE id = 98"));
    assertEquals("34", value("SELECT COUNT(*) FROM t WHERE s IS NULL"));
  }

  @Test
  void shouldKeepParametersAfterBatch() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
      add(insert, 1, 10);
      add(insert, 2, 20);
      insert.setInt(1, 3);
      assertEquals(2, insert.executeBatch().length);
      insert.setInt(2, 30);
      insert.addBatch();
      assertEquals(1, insert.executeBatch().length);
    }
    assertEquals("30", value("SELECT n FROM t WHERE id = 3"));
  }

  /**
   * Runs batches with more rows than are announced to the engine in advance. Inserts and updates
   * have the same keys.
   */
  @Test
  void shouldRunALongBatchInATransaction() throws SQLException {
    run("CREATE TABLE far (a BIGINT, b VARCHAR(10), n INTEGER, PRIMARY KEY (a, b))");
    connection.setAutoCommit(false);
    int rows = 100;
    try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO far VALUES (?, ?, 0)");
        PreparedStatement update =
            connection.prepareStatement("UPDATE far SET n = n + ? WHERE a = ? AND b = ?")) {
      for (int i = 0; i < rows; i++) {
        insert.setLong(1, i * 1_000_003L);
        insert.setString(2, "k" + i % 7);
        insert.addBatch();
      }
      assertEquals(rows, Arrays.stream(insert.executeBatch()).sum());
      for (int i = 0; i < rows + 10; i++) {
        update.setInt(1, i);
        update.setLong(2, i % rows * 1_000_003L);
        update.setString(3, "k" + i % rows % 7);
        update.addBatch();
      }
      assertEquals(rows + 10, Arrays.stream(update.executeBatch()).sum());
    }
    connection.commit();
    assertEquals("100", value("SELECT COUNT(*) FROM far"));
    assertEquals("5995", value("SELECT SUM(n) FROM far"));
  }

  @Test
  void shouldReportUpdateCountsBeforeFailedStatement() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?)")) {
      for (int id : new int[] {1, 2, 1, 3}) {
        insert.setInt(1, id);
        insert.addBatch();
      }
      BatchUpdateException failure = assertThrows(BatchUpdateException.class, insert::executeBatch);
      assertEquals(2, failure.getUpdateCounts().length);
      assertEquals("23505", failure.getSQLState());
      assertTrue(failure.getNextException() instanceof SQLIntegrityConstraintViolationException);
      assertTrue(failure.getCause() instanceof SQLIntegrityConstraintViolationException);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | INSERT INTO t VALUES (?, ?) | 23505",
        "299 | INSERT INTO t VALUES (?, ?) | 23505",
        "300 | INSERT INTO t VALUES (?, ?) | 23505",
        "511 | INSERT INTO t VALUES (?, 100 / ?) | 22012",
        "512 | INSERT INTO t VALUES (?, 0 - ?) | 23514"
      })
  void shouldKeepRowsBeforeFailureInTransaction(int bad, String text, String state)
      throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER CHECK (v > -5))");
    run("INSERT INTO t VALUES (-1, 0)");
    connection.setAutoCommit(false);
    boolean duplicate = state.equals("23505");
    try (PreparedStatement insert = connection.prepareStatement(text)) {
      for (int id = 0; id < 600; id++) {
        insert.setInt(1, id == bad && duplicate ? -1 : id);
        insert.setInt(2, id != bad ? 1 : state.equals("22012") ? 0 : 10);
        insert.addBatch();
      }
      BatchUpdateException failure = assertThrows(BatchUpdateException.class, insert::executeBatch);
      assertEquals(state, failure.getSQLState());
      assertEquals(bad, failure.getUpdateCounts().length);
      assertEquals(bad, Arrays.stream(failure.getUpdateCounts()).sum());
    }
    run("INSERT INTO t VALUES (1000, 0)");
    connection.commit();
    assertEquals(String.valueOf(bad + 2), value("SELECT COUNT(*) FROM t"));
  }

  @Test
  void shouldCheckForeignKeysOfRowsInsertedTogether() throws SQLException {
    run("CREATE TABLE node (id INTEGER PRIMARY KEY, up INTEGER REFERENCES node)");
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO node VALUES (?, ?)")) {
      for (int id = 1; id <= 20; id++) {
        insert.setInt(1, id);
        insert.setObject(2, id == 1 ? null : id - 1, Types.INTEGER);
        insert.addBatch();
      }
      insert.executeBatch();
      insert.setInt(1, 21);
      insert.setInt(2, 20);
      insert.addBatch();
      insert.setInt(1, 22);
      insert.setInt(2, 99);
      insert.addBatch();
      BatchUpdateException failure = assertThrows(BatchUpdateException.class, insert::executeBatch);
      assertEquals("23503", failure.getSQLState());
      assertEquals(1, failure.getUpdateCounts().length);
    }
    connection.commit();
    assertEquals("21", value("SELECT COUNT(*) FROM node"));
  }

  @Test
  void shouldRunBatchesOfTexts() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.addBatch("CREATE TABLE t (id INTEGER PRIMARY KEY)");
      statement.addBatch("INSERT INTO t VALUES (1), (2)");
      int[] counts = statement.executeBatch();
      assertEquals(0, counts[0]);
      assertEquals(2, counts[1]);
    }
  }

  @Test
  void shouldReturnGeneratedKeysOfBatchesByName() throws SQLException {
    run("CREATE TABLE t (id INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, s VARCHAR(10))");
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (s) VALUES (?)", new String[] {"id", "S"})) {
      for (String s : new String[] {"a", "b", "c"}) {
        insert.setString(1, s);
        insert.addBatch();
      }
      insert.executeBatch();
      try (ResultSet keys = insert.getGeneratedKeys()) {
        for (int i = 0; i < 3; i++) {
          assertTrue(keys.next());
        }
        assertEquals("c", keys.getString(2));
        assertFalse(keys.next());
      }
    }
  }

  // In auto-commit mode.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t VALUES (?, 0)",
        "UPDATE t SET v = v + 1 WHERE id = ? - 1000",
        "DELETE FROM t WHERE id = ? - 1000"
      })
  void shouldRunManyRowsInAutoCommitMode(String text) throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)");
    try (PreparedStatement fill = connection.prepareStatement("INSERT INTO t VALUES (?, 0)");
        PreparedStatement change = connection.prepareStatement(text);
        Connection other = DriverManager.getConnection(url)) {
      for (int id = 0; id < MANY; id++) {
        add(fill, id);
      }
      assertEquals(MANY, Arrays.stream(fill.executeBatch()).sum());
      for (int id = 1000; id < 1000 + MANY; id++) {
        add(change, id);
      }
      assertEquals(MANY, Arrays.stream(change.executeBatch()).sum());
      assertTrue(connection.getAutoCommit());
      String rows = text.startsWith("I") ? "1200" : text.startsWith("U") ? "600" : "0";
      assertEquals(rows, value(other, "SELECT COUNT(*) FROM t"));
      String changed = text.startsWith("U") ? "600" : "0";
      assertEquals(changed, value(other, "SELECT COUNT(*) FROM t WHERE v = 1"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | INSERT INTO t VALUES (?, 1 / ?) | 22012",
        "255 | INSERT INTO t VALUES (?, 1 / ?) | 22012",
        "256 | INSERT INTO t VALUES (?, 1 / ?) | 22012",
        "599 | INSERT INTO t VALUES (?, 1 / ?) | 22012",
        "300 | UPDATE t SET v = v + 1 WHERE id = ? - 1000 AND 1 / CAST(? AS INTEGER) = 1 | 22012",
        "300 | UPDATE t SET v = v - 4 + 5 * ? WHERE id = ? - 1000 | 23514"
      })
  void shouldCommitRowsBeforeFailureInAutoCommitMode(int bad, String text, String state)
      throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER CHECK (v >= 0))");
    boolean numberFirst = state.equals("23514");
    try (PreparedStatement fill = connection.prepareStatement("INSERT INTO t VALUES (?, 0)");
        PreparedStatement change = connection.prepareStatement(text);
        Connection other = DriverManager.getConnection(url)) {
      for (int id = 0; id < MANY; id++) {
        add(fill, id);
      }
      fill.executeBatch();
      for (int i = 0; i < MANY; i++) {
        int number = i == bad ? 0 : 1;
        add(change, numberFirst ? number : 1000 + i, numberFirst ? 1000 + i : number);
      }
      BatchUpdateException failure = assertThrows(BatchUpdateException.class, change::executeBatch);
      assertEquals(state, failure.getSQLState());
      assertTrue(
          failure.getMessage().startsWith("statement " + (bad + 1) + " of the batch failed"),
          failure.getMessage());
      assertEquals(bad, failure.getUpdateCounts().length);
      assertEquals(bad, Arrays.stream(failure.getUpdateCounts()).sum());
      assertEquals(
          String.valueOf(bad), value(other, "SELECT COUNT(*) FROM t WHERE id >= 1000 OR v = 1"));
      assertEquals("1", value("SELECT COUNT(*) FROM t WHERE id = 0"));
      assertTrue(connection.getAutoCommit());
    }
  }

  /**
   * The transaction of the whole group loses. The rows are retried one by one, and those before the
   * locked row are committed.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRunRowsByThemselvesThatLostTogether(boolean wantsKeys) throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)");
    run("INSERT INTO t VALUES (1, 0), (2, 0), (3, 0), (4, 0)");
    String text = "UPDATE t SET v = v + 1 WHERE id = ?";
    try (Connection other = DriverManager.getConnection(url);
        Connection hasty = DriverManager.getConnection(url + "&conflict=no-wait");
        PreparedStatement update =
            wantsKeys
                ? hasty.prepareStatement(text, new String[] {"ID"})
                : hasty.prepareStatement(text)) {
      other.setAutoCommit(false);
      Statements.run(other, "UPDATE t SET v = 9 WHERE id = 3");
      for (int id = 1; id <= 4; id++) {
        add(update, id);
      }
      BatchUpdateException failure = assertThrows(BatchUpdateException.class, update::executeBatch);
      assertEquals("40001", failure.getSQLState());
      assertEquals(2, failure.getUpdateCounts().length);
      other.commit();
      assertEquals("1", value("SELECT v FROM t WHERE id = 2"));
      assertEquals("9", value("SELECT v FROM t WHERE id = 3"));
      assertEquals("0", value("SELECT v FROM t WHERE id = 4"));
      add(update, 3);
      add(update, 4);
      assertEquals(2, update.executeBatch().length);
    }
  }

  @Test
  void shouldReturnEachGeneratedKeyOnceAfterRetry() throws SQLException {
    run("CREATE TABLE t (id INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, s INTEGER)");
    run("CREATE UNIQUE INDEX t_s ON t (s)");
    try (Connection other = DriverManager.getConnection(url);
        Connection hasty = DriverManager.getConnection(url + "&conflict=no-wait");
        PreparedStatement insert =
            hasty.prepareStatement("INSERT INTO t (s) VALUES (?)", new String[] {"S"})) {
      other.setAutoCommit(false);
      Statements.run(other, "INSERT INTO t (s) VALUES (3)");
      for (int s = 1; s <= 4; s++) {
        add(insert, s);
      }
      BatchUpdateException failure = assertThrows(BatchUpdateException.class, insert::executeBatch);
      assertEquals("40001", failure.getSQLState());
      assertEquals(2, failure.getUpdateCounts().length);
      try (ResultSet keys = insert.getGeneratedKeys()) {
        for (int s = 1; s <= 2; s++) {
          assertTrue(keys.next());
          assertEquals(s, keys.getInt(1));
        }
        assertFalse(keys.next());
      }
      other.rollback();
      assertEquals("2", value("SELECT COUNT(*) FROM t"));
    }
  }

  /**
   * The transaction of the whole group is the younger one and loses. Then each row runs alone and
   * waits.
   */
  @Test
  void shouldWaitForLockHolderAndKeepResultsOpen() throws Exception {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)");
    run("INSERT INTO t VALUES (1, 0), (2, 0), (3, 0)");
    try (Connection other = DriverManager.getConnection(url);
        Connection observer = DriverManager.getConnection(url);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Statement reading = connection.createStatement();
        PreparedStatement update =
            connection.prepareStatement("UPDATE t SET v = v + 1 WHERE id = ?")) {
      other.setAutoCommit(false);
      Statements.run(other, "UPDATE t SET v = 9 WHERE id = 3");
      ResultSet rows = reading.executeQuery("SELECT id FROM t ORDER BY id");
      assertTrue(rows.next());
      for (int id = 1; id <= 3; id++) {
        add(update, id);
      }
      Future<int[]> counts = thread.submit(update::executeBatch);
      while (Statements.number(observer, "SELECT COUNT(*) FROM sys.sessions WHERE waiting") == 0) {
        assertFalse(counts.isDone(), "it should wait");
        LockSupport.parkNanos(100_000);
      }
      other.commit();
      assertArrayEquals(new int[] {1, 1, 1}, counts.get());
      assertEquals("10", value("SELECT v FROM t WHERE id = 3"));
      assertEquals("1", value("SELECT v FROM t WHERE id = 1"));
      assertTrue(rows.next());
      assertEquals(2, rows.getInt(1));
    }
  }

  /**
   * A cancelled group is rolled back: the update counts are those of the complete groups before it.
   */
  @Test
  void shouldReportCommittedRowsAfterTimeout() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)");
    try (Connection other = DriverManager.getConnection(url);
        Connection waiter = DriverManager.getConnection(url + "&queryTimeout=50ms&lockTimeout=1h");
        PreparedStatement fill = connection.prepareStatement("INSERT INTO t VALUES (?, 0)");
        PreparedStatement update = waiter.prepareStatement("UPDATE t SET v = 1 WHERE id = ?")) {
      for (int id = 0; id < MANY; id++) {
        add(fill, id);
        add(update, id);
      }
      fill.executeBatch();
      other.setAutoCommit(false);
      Statements.run(other, "UPDATE t SET v = 9 WHERE id = 300");
      BatchUpdateException failure = assertThrows(BatchUpdateException.class, update::executeBatch);
      assertEquals("57014", failure.getSQLState());
      other.rollback();
      assertEquals(
          String.valueOf(failure.getUpdateCounts().length),
          value("SELECT COUNT(*) FROM t WHERE v = 1"));
      assertTrue(waiter.getAutoCommit());
    }
  }

  @Test
  void shouldNotCloseOpenResults() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    run("CREATE TABLE copy (id INTEGER PRIMARY KEY)");
    run("INSERT INTO t VALUES (1), (2), (3), (4)");
    try (Statement reading = connection.createStatement();
        PreparedStatement insert = connection.prepareStatement("INSERT INTO copy VALUES (?)");
        ResultSet rows = reading.executeQuery("SELECT id FROM t ORDER BY id")) {
      for (int half = 0; half < 2; half++) {
        for (int i = 0; i < 2; i++) {
          assertTrue(rows.next());
          add(insert, rows.getInt(1));
        }
        assertEquals(2, insert.executeBatch().length);
      }
      assertFalse(rows.next());
    }
    assertEquals("10", value("SELECT SUM(id) FROM copy"));
  }

  @Test
  void shouldBeginATransactionOfTheUsersAfterABatch() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?)")) {
      add(insert, 1);
      add(insert, 2);
      insert.executeBatch();
      run("START TRANSACTION");
      add(insert, 3);
      add(insert, 4);
      insert.executeBatch();
      run("ROLLBACK");
      assertEquals("2", value("SELECT COUNT(*) FROM t"));
      connection.setReadOnly(true);
      add(insert, 5);
      add(insert, 6);
      BatchUpdateException failure = assertThrows(BatchUpdateException.class, insert::executeBatch);
      assertEquals("25006", failure.getSQLState());
      connection.setReadOnly(false); // would fail if a transaction were left open
      add(insert, 5);
      add(insert, 6);
      assertEquals(2, insert.executeBatch().length);
    }
  }

  @Test
  void shouldRunTheSameDefinitionTwiceInABatch() throws SQLException {
    try (PreparedStatement create =
        connection.prepareStatement("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY)")) {
      create.addBatch();
      create.addBatch();
      assertEquals(2, create.executeBatch().length);
    }
    assertEquals("0", value("SELECT COUNT(*) FROM t"));
  }
}
