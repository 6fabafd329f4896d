package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLSyntaxErrorException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tables, rows, batches and generated keys through the driver, in a database of each test's own.
 */
class CrudTest {
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=64m");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private int run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private String value(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next());
      return rows.getString(1);
    }
  }

  @Test
  void shouldReadWhatWasWritten() throws SQLException {
    run(
        "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, price DECIMAL(8, 2))");
    assertEquals(1, run("INSERT INTO item VALUES (1, 'pen', 1.25)"));
    assertEquals(1, run("INSERT INTO item VALUES (2, 'ink', NULL)"));
    assertEquals(2, run("UPDATE item SET price = 3.5 WHERE id < 10"));
    assertEquals("3.50", value("SELECT price FROM item WHERE id = 2"));
    assertEquals(1, run("DELETE FROM item WHERE id = 1"));
    assertEquals("1", value("SELECT COUNT(*) FROM item"));
  }

  @Test
  void shouldPassValuesOfAllTypes() throws SQLException {
    run(
        "CREATE TABLE t (id BIGINT PRIMARY KEY, i INTEGER, b BOOLEAN, d DECIMAL(30, 4), f DOUBLE,"
            + " s VARCHAR(50), x VARBINARY(20), dt DATE, ts TIMESTAMP)");
    LocalDateTime moment = LocalDateTime.of(2024, 2, 29, 12, 30, 15, 123_456_000);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      insert.setLong(1, 1);
      insert.setInt(2, -5);
      insert.setBoolean(3, true);
      insert.setBigDecimal(4, new BigDecimal("12345678901234567890.5"));
      insert.setDouble(5, 2.5);
      insert.setString(6, "Grüße");
      insert.setBytes(7, new byte[] {1, 2, 3});
      insert.setObject(8, LocalDate.of(2024, 2, 29));
      insert.setObject(9, moment);
      assertEquals(1, insert.executeUpdate());
    }
    try (PreparedStatement query = connection.prepareStatement("SELECT * FROM t WHERE id = ?")) {
      query.setInt(1, 1);
      try (ResultSet row = query.executeQuery()) {
        assertTrue(row.next());
        assertEquals(-5, row.getInt("i"));
        assertTrue(row.getBoolean("B"));
        assertEquals(new BigDecimal("12345678901234567890.5000"), row.getBigDecimal(4));
        assertEquals(2.5, row.getDouble(5));
        assertEquals("Grüße", row.getString("s"));
        assertEquals(3, row.getBytes(7).length);
        assertEquals(LocalDate.of(2024, 2, 29), row.getObject(8, LocalDate.class));
        assertEquals(moment, row.getObject(9, LocalDateTime.class));
        assertFalse(row.next());
      }
    }
  }

  @Test
  void shouldTellNullFromZero() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)");
    run("INSERT INTO t VALUES (1, NULL), (2, 0)");
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT n FROM t ORDER BY id")) {
      assertTrue(rows.next());
      assertEquals(0, rows.getInt(1));
      assertTrue(rows.wasNull());
      assertNull(rows.getObject(1));
      assertTrue(rows.next());
      assertEquals(0, rows.getInt(1));
      assertFalse(rows.wasNull());
    }
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

  /** Longer than what the engine hears of in advance, with rows of both kinds of the same key. */
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
  void shouldSayWhichPartOfABatchFailed() throws SQLException {
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
  void shouldKeepTheRowsBeforeTheOneThatFailedInATransaction(int bad, String text, String state)
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
  void shouldReturnGeneratedKeysOfAllRows() throws SQLException {
    run("CREATE TABLE t (id INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, s VARCHAR(10))");
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO t (s) VALUES (?), (?)", Statement.RETURN_GENERATED_KEYS)) {
      insert.setString(1, "a");
      insert.setString(2, "b");
      assertEquals(2, insert.executeUpdate());
      try (ResultSet keys = insert.getGeneratedKeys()) {
        assertTrue(keys.next());
        int first = keys.getInt(1);
        assertTrue(keys.next());
        assertEquals(first + 1, keys.getInt("id"));
        assertFalse(keys.next());
      }
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

  @Test
  void shouldScrollThroughACopy() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    run("INSERT INTO t VALUES (1), (2), (3)");
    try (Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
        ResultSet rows = statement.executeQuery("SELECT id FROM t ORDER BY id")) {
      assertTrue(rows.last());
      assertEquals(3, rows.getRow());
      assertTrue(rows.absolute(2));
      assertEquals(2, rows.getInt(1));
      assertTrue(rows.previous());
      assertTrue(rows.isFirst());
      assertFalse(rows.previous());
      assertTrue(rows.isBeforeFirst());
    }
  }

  @Test
  void shouldReturnAtMostMaxRows() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    run("INSERT INTO t VALUES (1), (2), (3)");
    try (Statement statement = connection.createStatement()) {
      statement.setMaxRows(2);
      ResultSet rows = statement.executeQuery("SELECT id FROM t");
      assertTrue(rows.next());
      assertTrue(rows.next());
      assertFalse(rows.next());
    }
  }

  @Test
  void shouldUseOneResultSetAfterAnother() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    run("INSERT INTO t VALUES (1), (2)");
    try (PreparedStatement query = connection.prepareStatement("SELECT id FROM t WHERE id = ?")) {
      query.setInt(1, 1);
      ResultSet first = query.executeQuery();
      assertTrue(first.next());
      query.setInt(1, 2);
      ResultSet second = query.executeQuery();
      assertTrue(first.isClosed(), "running again closes the result before");
      assertTrue(second.next());
      assertEquals(2, second.getInt(1));
      first.close();
      assertFalse(second.isClosed());
    }
  }

  @Test
  void shouldRefuseTheWrongMethod() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    try (Statement statement = connection.createStatement()) {
      assertThrows(
          SQLSyntaxErrorException.class, () -> statement.executeQuery("INSERT INTO t VALUES (1)"));
      assertThrows(
          SQLSyntaxErrorException.class, () -> statement.executeUpdate("SELECT id FROM t"));
    }
    assertEquals("0", value("SELECT COUNT(*) FROM t"));
  }

  @Test
  void shouldNameABadParameterIndex() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    try (PreparedStatement query = connection.prepareStatement("SELECT id FROM t WHERE id = ?")) {
      SQLException failure = assertThrows(SQLException.class, () -> query.setInt(2, 1));
      assertEquals("07009", failure.getSQLState());
      SQLException unset = assertThrows(SQLException.class, query::executeQuery);
      assertEquals("07001", unset.getSQLState());
    }
  }

  @Test
  void shouldTranslateEscapes() throws SQLException {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE)");
    run("INSERT INTO t VALUES (1, {d '2024-02-29'})");
    assertEquals("2024-02-29", value("SELECT d FROM t WHERE d = {d '2024-02-29'} {limit 1}"));
    assertEquals("{d}", value("SELECT {fn LCASE('{D}')} FROM t"));
  }
}
