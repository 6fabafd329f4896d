package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.database.Failures.assertFails;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.error.ErrorCode;

/** Conversion of the source values of INSERT to the types of the columns. */
class InsertSourceTest {
  private final Database database = Sql.memory();
  private final Sql sql = new Sql(database);

  @BeforeEach
  void create() {
    sql.run(
        "CREATE TABLE t (a INTEGER PRIMARY KEY, v VARCHAR(5), c CHAR(3) NOT NULL)",
        "CREATE TABLE u (a INTEGER PRIMARY KEY, w VARCHAR(20))",
        "INSERT INTO u VALUES (7, 'abcdefg'), (8, 'hi')");
  }

  @AfterEach
  void close() {
    sql.close();
    database.close();
  }

  /** A text that is too long is an error, as for UPDATE; it is not truncated. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "VALUES (1, 'abcdefg', 'x')",
        "VALUES (1, 'a', 'abcdefg')",
        "VALUES (1, UPPER('abcdefg'), 'x')",
        "VALUES (1, 'abc' || 'defg', 'x'), (2, 'a', 'x')",
        "VALUES (1, CAST('abcdefgh' AS VARCHAR(6)), 'x')",
        "VALUES (1, (SELECT w FROM u WHERE a = 7), 'x')",
        "VALUES (1, CASE WHEN RAND() < 2 THEN 'abcdefg' END, 'x')",
        "SELECT a, w, 'x' FROM u",
        "SELECT a, 'x', w FROM u",
        "SELECT a, 'abcdefg', 'x' FROM u UNION ALL SELECT 9, 'x', 'x' FROM u",
      })
  void shouldRefuseATextThatIsTooLong(String source) {
    assertFails(ErrorCode.STRING_TOO_LONG, () -> sql.update("INSERT INTO t " + source));
    assertEquals(List.of(), sql.query("SELECT * FROM t"));
  }

  @Test
  void shouldRejectTooLongLiteralNextToParameter() {
    assertFails(
        ErrorCode.STRING_TOO_LONG, () -> sql.update("INSERT INTO t VALUES (?, 'abcdefg', 'x')", 1));
    assertFails(
        ErrorCode.STRING_TOO_LONG,
        () -> sql.update("INSERT INTO t VALUES (?, 'abcdefg', 'x'), (?, 'a', 'b')", 1, 2));
  }

  /** An explicit cast truncates. */
  @Test
  void shouldCutATextThatIsCastToAShorterOne() {
    sql.run(
        "INSERT INTO t VALUES (1, CAST('abcdefg' AS VARCHAR(4)), CAST('abcdefg' AS CHAR(3)))",
        "INSERT INTO t VALUES (2, CAST('abc' AS CHAR(2)), 'x'), (3, 'y', CAST('wxyz' AS CHAR(3)))",
        "INSERT INTO t SELECT 4, CAST('abcdefg' AS VARCHAR(4)), CAST('pqrs' AS CHAR(3))"
            + " FROM u WHERE a = 7",
        "INSERT INTO t SELECT 5, x || 'z', 'c'"
            + " FROM (SELECT CAST('abcdefg' AS VARCHAR(4)) AS x FROM u WHERE a = 7) q",
        "INSERT INTO t SELECT 6, CAST('abcdefg' AS VARCHAR(3)), 'c'"
            + " UNION ALL SELECT 7, CAST('abcdefg' AS VARCHAR(4)), 'c'");
    assertEquals(
        List.of(
            "1 abcd abc",
            "2 ab x  ",
            "3 y wxy",
            "4 abcd pqr",
            "5 abcdz c  ",
            "6 abc c  ",
            "7 abcd c  "),
        sql.query("SELECT * FROM t ORDER BY a"));
  }

  @Test
  void shouldNotStoreColumnsUsedOnlyForOrdering() {
    sql.run(
        "INSERT INTO t SELECT a, 'x', 'y' FROM u ORDER BY w DESC LIMIT 1",
        "INSERT INTO t (c, a) SELECT 'z', a + 10 FROM u ORDER BY CHAR_LENGTH(w), a LIMIT 1");
    assertEquals(List.of("8 x y  ", "18 null z  "), sql.query("SELECT * FROM t ORDER BY a"));
  }
}
