package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters keep the full precision of their values, whatever type they are compared with. */
class ParameterTypesTest {
  private static final Timestamp MIDNIGHT = Timestamp.valueOf("2024-01-01 00:00:00");
  private static final Timestamp NOON = Timestamp.valueOf("2024-01-01 12:00:00");

  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE plain (id INT PRIMARY KEY, d DATE, v VARCHAR(3))");
      statement.execute("CREATE TABLE keyed (d DATE PRIMARY KEY, id INT, v VARCHAR(3))");
      statement.execute("CREATE TABLE indexed (id INT PRIMARY KEY, d DATE, v VARCHAR(3))");
      statement.execute("CREATE INDEX indexed_d ON indexed (d)");
      for (String table : new String[] {"plain", "keyed", "indexed"}) {
        statement.execute(
            "INSERT INTO "
                + table
                + " (id, d, v) VALUES (1, DATE '2023-12-31', 'a'), (2, DATE '2024-01-01', 'b'),"
                + " (3, DATE '2024-01-02', 'c')");
      }
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private String find(String sql, Object... values) throws SQLException {
    StringBuilder found = new StringBuilder();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.append(rows.getString(1));
        }
      }
    }
    return found.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "keyed", "indexed"})
  void shouldCompareDatesWithTimesOfDay(String table) throws SQLException {
    String query = "SELECT id FROM " + table + " WHERE d %s ORDER BY id";
    for (Object noon :
        new Object[] {NOON, LocalDateTime.of(2024, 1, 1, 12, 0), "2024-01-01 12:00:00"}) {
      assertEquals("12", find(query.formatted("< ?"), noon));
      assertEquals("12", find(query.formatted("<= ?"), noon));
      assertEquals("", find(query.formatted("= ?"), noon));
      assertEquals("123", find(query.formatted("<> ?"), noon));
      assertEquals("3", find(query.formatted(">= ?"), noon));
      assertEquals("3", find(query.formatted("> ?"), noon));
      assertEquals("2", find(query.formatted("IN (?, ?)"), noon, MIDNIGHT));
      assertEquals("3", find(query.formatted("BETWEEN ? AND '2024-01-02'"), noon));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "keyed", "indexed"})
  void shouldCompareDatesWithWholeDays(String table) throws SQLException {
    String query = "SELECT id FROM " + table + " WHERE d %s ORDER BY id";
    for (Object day : new Object[] {MIDNIGHT, Date.valueOf("2024-01-01"), "2024-01-01"}) {
      assertEquals("1", find(query.formatted("< ?"), day));
      assertEquals("12", find(query.formatted("<= ?"), day));
      assertEquals("2", find(query.formatted("= ?"), day));
      assertEquals("23", find(query.formatted(">= ?"), day));
      assertEquals("3", find(query.formatted("> ?"), day));
    }
    assertEquals("12", find(query.formatted("< TIMESTAMP '2024-01-01 12:00:00'")));
  }

  /** A timestamp parameter uses the index as a date parameter does. */
  @Test
  void shouldLookUpDatesByTimestamps() throws SQLException {
    assertEquals(
        "PointGet",
        find("EXPLAIN PLAN FOR SELECT id FROM keyed WHERE d = ?").strip().substring(0, 8));
    String range = find("EXPLAIN PLAN FOR SELECT id FROM indexed WHERE d < ?");
    assertTrue(range.contains("?1") && !range.contains("Filter"), range);
  }

  @Test
  void shouldAcceptTextParametersAsCaseResults() throws SQLException {
    String query = "SELECT CASE WHEN id = 2 THEN ? ELSE v END FROM plain ORDER BY id";
    assertEquals("axc", find(query, "x"));
    assertEquals("alongerc", find(query, "longer"));
    assertEquals("xbx", find("SELECT CASE WHEN id = 2 THEN v ELSE ? END FROM plain", "x"));
  }

  @Test
  void shouldAcceptParametersInOrderBy() throws SQLException {
    assertEquals(
        "213", find("SELECT id FROM plain ORDER BY CASE id WHEN ? THEN 0 ELSE ? END, id", 2, 1));
    assertEquals("321", find("SELECT id FROM plain ORDER BY id * ?", -1));
    assertEquals("312", find("SELECT id AS n FROM plain ORDER BY MOD(n, ?), n", 3));
    assertEquals(
        "321", find("SELECT id FROM plain ORDER BY id DESC FETCH FIRST ? ROWS WITH TIES", 5));
  }

  @Test
  void shouldInferOneTypePerColumnOfValues() throws SQLException {
    String query = "SELECT a + 1 FROM (VALUES (?, ?), (?, ?)) AS x(a, b) ORDER BY b";
    assertEquals("32", find(query, 1, "z", 2, "y"));
    assertEquals("12", find("SELECT a FROM (VALUES (1), (?)) AS x(a) ORDER BY a", "2"));
  }
}
