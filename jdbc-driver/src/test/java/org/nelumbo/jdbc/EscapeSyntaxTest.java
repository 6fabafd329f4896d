package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JDBC escapes become SQL, and nothing else changes. */
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
}
