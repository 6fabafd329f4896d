package org.nelumbo.database.plancache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;

/** Texts that differ only in a number share a plan, even if the first number is 0. */
@Timeout(60)
class SignedLiteralsTest {
  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run("CREATE TABLE t (a INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (3)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  /**
   * Runs one text with several numbers.
   *
   * @param sign sign of the number in the value
   * @param plus remainder of the value
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "%s | 1 | 0",
        "-%s | -1 | 0",
        "- %s | -1 | 0",
        "- - %s | 1 | 0",
        "- -%s | 1 | 0",
        "- + - %s | 1 | 0",
        "- - - %s | -1 | 0",
        "+ %s | 1 | 0",
        "-(%s) | -1 | 0",
        "- (- %s) | 1 | 0",
        "a - %s | -1 | 3",
        "a - - %s | 1 | 3",
        "a - (- - %s) | -1 | 3",
        "a + - %s | -1 | 3",
        "CASE WHEN a = 3 THEN - - %s ELSE - %s END | 1 | 0",
        "COALESCE(- %s, a) | -1 | 0"
      })
  void shouldKeepSignOfLiterals(String form, int sign, int plus) {
    for (int number : new int[] {0, 7, 0, 88}) {
      String expression = form.replace("%s", Integer.toString(number));
      List<String> expected = List.of(Integer.toString(sign * number + plus));
      for (String rest : List.of(" FROM t", " AS c FROM t", " AS c FROM t AS u WHERE a = 3")) {
        String query = "SELECT " + expression + rest;
        assertEquals(expected, sql.query(query), query);
      }
      String compared = "SELECT COUNT(*) FROM t WHERE a - 3 + " + expected.getFirst() + " = ";
      assertEquals(List.of("1"), sql.query(compared + expression), compared + expression);
    }
  }
}
