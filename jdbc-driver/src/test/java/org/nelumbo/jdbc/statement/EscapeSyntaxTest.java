package org.nelumbo.jdbc.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JDBC escapes become SQL, and all other text stays unchanged. */
class EscapeSyntaxTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT {d '2024-01-31'}             | SELECT DATE '2024-01-31'",
        "SELECT {t '12:00:00'}               | SELECT TIME '12:00:00'",
        "SELECT {ts '2024-01-31 12:00:00'}   | SELECT TIMESTAMP '2024-01-31 12:00:00'",
        "SELECT {fn UCASE(a)}                | SELECT UPPER(a)",
        "SELECT {fn lcase({fn ucase(a)})}    | SELECT LOWER(UPPER(a))",
        "SELECT {fn now()}                   | SELECT CURRENT_TIMESTAMP",
        "SELECT * FROM {oj a LEFT JOIN b ON x = y} | SELECT * FROM  a LEFT JOIN b ON x = y",
        "WHERE a LIKE '!%' {escape '!'}      | WHERE a LIKE '!%' ESCAPE '!'",
        "SELECT a FROM t {limit 5 offset 2}  | SELECT a FROM t LIMIT 5 offset 2",
        "SELECT '{d x}', \"{t}\" {d '2024-01-31'} | SELECT '{d x}', \"{t}\" DATE '2024-01-31'",
        "SELECT 'it''s {' {d '2024-01-31'}   | SELECT 'it''s {' DATE '2024-01-31'",
        "SELECT /* { */ {d '2024-01-31'}     | SELECT /* { */ DATE '2024-01-31'",
        "SELECT 1 -- {call                   | SELECT 1 -- {call"
      })
  void shouldTranslate(String escaped, String sql) throws SQLException {
    assertEquals(sql, EscapeSyntax.translate(escaped));
  }

  @Test
  void shouldReturnTheSameTextWithoutEscapes() throws SQLException {
    String sql = "SELECT a FROM t";
    assertSame(sql, EscapeSyntax.translate(sql));
  }

  @Test
  void shouldNameBadEscapes() {
    SQLException unknown =
        assertThrows(SQLException.class, () -> EscapeSyntax.translate("SELECT {x 1}"));
    assertEquals("42601", unknown.getSQLState());
    assertThrows(SQLException.class, () -> EscapeSyntax.translate("SELECT {d '2024-01-31'"));
    assertThrows(
        SQLFeatureNotSupportedException.class, () -> EscapeSyntax.translate("{call p(1)}"));
    assertThrows(
        SQLFeatureNotSupportedException.class, () -> EscapeSyntax.translate("{? = call p(1)}"));
  }

  @ParameterizedTest
  @CsvSource({
    "FRAC_SECOND, MICROS, 1",
    "SECOND, SECONDS, 1",
    "MINUTE, MINUTES, 1",
    "HOUR, HOURS, 1",
    "DAY, DAYS, 1",
    "WEEK, WEEKS, 1",
    "MONTH, MONTHS, 1",
    "QUARTER, MONTHS, 3",
    "YEAR, YEARS, 1"
  })
  void shouldCountInAllUnits(String unit, ChronoUnit expected, int times) throws SQLException {
    LocalDateTime start = LocalDateTime.of(2024, 1, 31, 10, 20, 30);
    for (int count : new int[] {-7, -1, 0, 1, 2, 50}) {
      String add =
          "{fn timestampadd(SQL_TSI_" + unit + ", " + count + ", {ts '" + text(start) + "'})}";
      LocalDateTime end = start.plus((long) count * times, expected);
      String difference =
          "{fn timestampdiff(sql_tsi_"
              + unit
              + ", {ts '"
              + text(start)
              + "'}, {ts '"
              + text(end)
              + "'})}";
      try (Connection connection = DriverManager.getConnection("jdbc:nelumbo:mem:");
          Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("SELECT " + add + ", " + difference)) {
        assertTrue(result.next());
        assertEquals(end, result.getObject(1, LocalDateTime.class));
        assertEquals(expected.between(start, end) / times, result.getLong(2), difference);
      }
    }
  }

  private static String text(LocalDateTime time) {
    return Timestamp.valueOf(time).toString();
  }

  @Test
  void shouldNameAnUnknownUnit() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:nelumbo:mem:");
        Statement statement = connection.createStatement()) {
      SQLException failure =
          assertThrows(
              SQLException.class,
              () ->
                  statement.execute("SELECT {fn timestampadd(SQL_TSI_FOO, 1, {d '2024-01-01'})}"));
      assertTrue(failure.getMessage().endsWith("there is no time unit FOO"), failure.getMessage());
    }
  }
}
