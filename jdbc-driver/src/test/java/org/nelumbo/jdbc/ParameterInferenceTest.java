package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Types of parameters, inferred from their position in the statement or from their values. */
class ParameterInferenceTest {
  private static final LocalDate DAY = LocalDate.of(2024, 1, 5);
  private static final LocalDateTime TIME = LocalDateTime.of(2024, 5, 6, 7, 8);
  private static final String NUMBERS = " FROM (VALUES (1), (2)) v(x) ORDER BY x";

  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(5))");
      statement.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static Arguments of(String expected, String sql, Object... values) {
    return arguments(expected, sql, List.of(values));
  }

  /**
   * Returns statements with the results of PostgreSQL, except for the format of numbers and
   * Booleans.
   */
  private static Stream<Arguments> statements() {
    return Stream.of(
        of("2", "SELECT COUNT(*) FROM t WHERE ? IN (SELECT id FROM t)", 1),
        of("2", "SELECT COUNT(*) FROM t WHERE ? IN (SELECT id FROM t)", new BigDecimal("1.0")),
        of("0", "SELECT COUNT(*) FROM t WHERE ? IN (SELECT id FROM t)", 1.5),
        of("2", "SELECT COUNT(*) FROM t WHERE ? IN (SELECT v FROM t)", "a"),
        of("2", "SELECT COUNT(*) FROM t WHERE ? NOT IN (SELECT id FROM t WHERE id > 5)", 1),
        of("2", "SELECT COUNT(*) FROM t WHERE ? = ANY (SELECT id FROM t)", 1L),
        of("2", "SELECT COUNT(*) FROM t WHERE ? <= ALL (SELECT id FROM t)", 1),
        of("2", "SELECT COUNT(*) FROM t WHERE ? + 1 IN (SELECT id FROM t)", 1),
        of("2", "SELECT COUNT(*) FROM t WHERE (?, 1) IN (SELECT id, id FROM t)", 1),
        of("2", "SELECT COUNT(*) FROM t WHERE (?, ?) IN (SELECT id, v FROM t)", 1, "a"),
        of("1", "SELECT COUNT(*) FROM t WHERE id IN (SELECT ?)", 1),
        of("1", "SELECT COUNT(*) FROM t WHERE id = ANY (SELECT ? FROM t)", 1),
        of("1", "SELECT COUNT(*) FROM t WHERE (id, v) IN (SELECT ?, ?)", 1, "a"),
        of("2", "SELECT COUNT(*) FROM t WHERE id IN (SELECT ? UNION SELECT ?)", 1, 2),
        of("1", "SELECT id FROM t WHERE id = (SELECT ?)", 1),
        of("1", "SELECT 1 WHERE ? IN (VALUES (1), (2))", 1),
        of("1 2", "SELECT 1 UNION SELECT ? ORDER BY 1", 2),
        of("1.0 2.5", "SELECT 1 UNION SELECT ? ORDER BY 1", new BigDecimal("2.5")),
        of("1 2", "SELECT 1 UNION SELECT ? ORDER BY 1", "2"),
        of("1", "SELECT id FROM t EXCEPT SELECT ?", 2),
        of("2", "SELECT id FROM t INTERSECT SELECT ?", 2),
        of("2 3", "SELECT ? UNION ALL SELECT ? ORDER BY 1", 2, 3),
        of("1.0 1.5", "SELECT ? UNION ALL SELECT ? ORDER BY 1", 1, new BigDecimal("1.5")),
        of("a b", "SELECT ? UNION ALL SELECT ? ORDER BY 1", "b", "a"),
        of("2024-01-05 2024-01-06", "SELECT ? UNION SELECT ? ORDER BY 1", DAY, DAY.plusDays(1)),
        of("2 3", "SELECT CAST(? AS INT) UNION ALL SELECT ? ORDER BY 1", 2, 3),
        of("1 2 3", "SELECT id, ? FROM t UNION ALL SELECT ?, 20 FROM t WHERE id = 1", 2, 3),
        of("1 2 7 8", "SELECT ? UNION ALL SELECT id FROM t UNION ALL SELECT ? ORDER BY 1", 7, 8),
        of("1 2 3", "VALUES (?), (1) UNION SELECT ? ORDER BY 1", 2, 3),
        of("1 2 9", "SELECT x FROM (SELECT ? x UNION SELECT id FROM t) q ORDER BY x", 9),
        of("null 8", "SELECT NULL UNION ALL SELECT ?", 8),
        of(
            "1 2 3",
            "WITH RECURSIVE r (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM r WHERE n < 3)"
                + " SELECT n FROM r",
            1),
        of(
            "1 2 3",
            "WITH RECURSIVE r (n, m) AS (VALUES (?, 'x') UNION ALL"
                + " SELECT n + 1, m || 'y' FROM r WHERE n < ?) SELECT n FROM r",
            1,
            3),
        of(
            "x xa xaa",
            "WITH RECURSIVE r (n) AS (SELECT ? UNION ALL SELECT n || 'a' FROM r"
                + " WHERE CHAR_LENGTH(n) < 3) SELECT n FROM r",
            "x"),
        of(
            "1.5 2.5 3.5",
            "WITH RECURSIVE r (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM r WHERE n < 3)"
                + " SELECT n FROM r",
            new BigDecimal("1.5")),
        of("6", "SELECT (SELECT ?) + 1", 5),
        of("6", "SELECT 1 + (SELECT ?)", 5),
        of("5", "SELECT COALESCE((SELECT ?), 7)", 5),
        of("ba", "SELECT (SELECT ?) || 'a'", "b"),
        of("6", "SELECT n + 1 FROM (SELECT ? n) q", 5),
        of("2024-01-06", "SELECT DATE '2024-01-01' + ? * INTERVAL '1' DAY", 5),
        of("05:00:00", "SELECT INTERVAL '1' HOUR * ?", 5),
        of("01:30:00", "SELECT ? * INTERVAL '1' HOUR", 1.5),
        of("00:30:00", "SELECT INTERVAL '1' HOUR / ?", 2),
        of("06:00:00", "SELECT INTERVAL '1' HOUR * (? + 1)", 5),
        of("23:00:00", "SELECT INTERVAL '1' DAY - ?", Duration.ofHours(1)),
        of("4", "SELECT ? - DATE '2024-01-01'", DAY),
        of("4", "SELECT DATE '2024-01-05' - ?", LocalDate.of(2024, 1, 1)),
        of("2024-01-01", "SELECT DATE '2024-01-05' - ?", 4),
        of("2024-01-01", "SELECT DATE '2024-01-05' - ?", new BigDecimal("4")),
        of("2024-01-09", "SELECT ? + DATE '2024-01-05'", new BigDecimal("4")),
        of("2024-05-01 00:00:00", "SELECT DATE_TRUNC('month', ?)", TIME),
        of("2024-05-01 00:00:00", "SELECT DATE_TRUNC('month', ?)", Timestamp.valueOf(TIME)),
        of("2024-01-01", "SELECT DATE_TRUNC('month', ?)", DAY),
        of("-5", "SELECT -?", 5),
        of("-1.5", "SELECT -?", new BigDecimal("1.5")),
        of("-5", "SELECT -?", "5"),
        of("-01:00:00", "SELECT -?", Duration.ofHours(1)),
        of("5", "SELECT +?", 5),
        of("1", "SELECT 1 WHERE 5 = -?", -5),
        of("1", "SELECT COUNT(*) FROM t WHERE id = -?", -1),
        of("a6", "SELECT CONCAT('a', ?)", 6),
        of("6a", "SELECT CONCAT(?, 'a')", 6),
        of("a67.5", "SELECT CONCAT('a', ?, ?)", 6, 7.5),
        of("a2024-01-05", "SELECT CONCAT('a', ?)", DAY),
        of("1 2", "SELECT NTILE(?) OVER (ORDER BY x)" + NUMBERS, 2),
        of("null 1", "SELECT LAG(x, ?) OVER (ORDER BY x)" + NUMBERS, 1),
        of("9 1", "SELECT LAG(x, 1, ?) OVER (ORDER BY x)" + NUMBERS, 9),
        of("1 3", "SELECT SUM(x) OVER (ORDER BY x ROWS ? PRECEDING)" + NUMBERS, 1),
        of("1 3", "SELECT SUM(x) OVER (ORDER BY x RANGE ? PRECEDING)" + NUMBERS, 1),
        of("2", "SELECT id FROM t ORDER BY id LIMIT ? OFFSET ?", 1, 1));
  }

  @ParameterizedTest
  @MethodSource("statements")
  void shouldInferTypesFromPositionsOrValues(String expected, String sql, List<Object> values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < values.size(); i++) {
          set(statement, i + 1, values.get(i));
        }
        assertEquals(expected, column(statement));
      }
    }
  }

  /** NULL is a valid value of a parameter of any type. */
  @ParameterizedTest
  @MethodSource("statements")
  void shouldAcceptNulls(String expected, String sql, List<Object> values) throws SQLException {
    if (sql.contains("PRECEDING") || sql.contains("NTH_VALUE")) {
      return; // these refuse NULL
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.size(); i++) {
        statement.setNull(i + 1, Types.NULL);
      }
      assertDoesNotThrow(() -> column(statement));
    }
  }

  @Test
  void shouldInferTypeAnewForEachValue() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT id FROM t WHERE id <= 1 UNION ALL SELECT ?")) {
      statement.setInt(1, 7);
      assertEquals("1 7", column(statement));
      statement.setBigDecimal(1, new BigDecimal("2.5"));
      assertEquals("1.0 2.5", column(statement));
      statement.setLong(1, 1L << 40);
      assertEquals("1 1099511627776", column(statement).replace(".0", ""));
      statement.setString(1, "8");
      assertEquals("1 8", column(statement).replace(".0", ""));
    }
    try (PreparedStatement statement = connection.prepareStatement("SELECT -?")) {
      statement.setDouble(1, 1.5);
      assertEquals("-1.5", column(statement));
      statement.setInt(1, 2);
      assertEquals("-2", column(statement));
      statement.setObject(1, Duration.ofMinutes(2));
      assertEquals("-00:02:00", column(statement));
      statement.setNull(1, Types.INTEGER);
      assertEquals("null", column(statement));
    }
    try (PreparedStatement statement = connection.prepareStatement("SELECT TIME '10:00:00' - ?")) {
      statement.setObject(1, LocalTime.of(9, 0));
      assertEquals("01:00:00", column(statement));
      statement.setObject(1, Duration.ofHours(2));
      assertEquals("08:00:00", column(statement));
    }
  }

  private static void set(PreparedStatement statement, int number, Object value)
      throws SQLException {
    switch (value) {
      case Integer whole -> statement.setInt(number, whole);
      case Long whole -> statement.setLong(number, whole);
      case Double real -> statement.setDouble(number, real);
      case BigDecimal decimal -> statement.setBigDecimal(number, decimal);
      case String text -> statement.setString(number, text);
      case Timestamp timestamp -> statement.setTimestamp(number, timestamp);
      default -> statement.setObject(number, value);
    }
  }

  private static String column(PreparedStatement statement) throws SQLException {
    StringBuilder column = new StringBuilder();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        column.append(column.isEmpty() ? "" : " ").append(rows.getString(1));
      }
    }
    return column.toString();
  }
}
