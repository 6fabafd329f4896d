package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.session.ResultColumn;

/** Labels of result columns. */
@Timeout(120)
class ColumnLabelTest {
  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR(10), \"c d\" INTEGER)");
    sql.run("INSERT INTO t VALUES (1, 'x', 2)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private List<String> labels(String query) {
    return sql.session().prepare(query).columns().stream().map(ResultColumn::label).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT a+1 FROM t | A + 1",
        "SELECT a AS x FROM t | X",
        "SELECT t.a FROM t | A",
        "SELECT count(*) FROM t | COUNT(*)",
        "SELECT max(b) FROM t GROUP BY a | MAX(B)",
        "SELECT coalesce(b, 'none') FROM t | COALESCE(B, 'none')",
        "SELECT 'it''s' FROM t | 'it''s'",
        "SELECT (a + 1) * 2 FROM t | (A + 1) * 2",
        "SELECT CASE WHEN a > 1 THEN 1 ELSE 2 END FROM t | CASE WHEN A > 1 THEN 1 ELSE 2 END",
        "SELECT CAST(a AS VARCHAR(5)) FROM t | CAST(A AS VARCHAR(5))",
        "SELECT a + ? FROM t | A + ?",
        "SELECT DISTINCT a * 2 FROM t ORDER BY a * 2 | A * 2",
        "SELECT a + 1 FROM t UNION SELECT 5 FROM t | A + 1",
        "SELECT * FROM (SELECT a - 1 FROM t) | A - 1",
        "WITH w AS (SELECT a / 1 FROM t) SELECT * FROM w | A / 1",
        "SELECT \"c d\" + 1 FROM t | \"c d\" + 1",
        "VALUES (7) | C1",
        "SELECT * FROM (VALUES (7)) | C1",
        "SELECT CURRENT_DATE | CURRENT_DATE",
        "SELECT 1 | 1"
      })
  void shouldLabelColumnsWithExpressionText(String query, String label) {
    assertEquals(List.of(label), labels(query));
  }

  @Test
  void shouldFindColumnOfSubqueryByItsText() {
    assertEquals(List.of("2"), sql.query("SELECT \"A + 1\" FROM (SELECT a + 1 FROM t)"));
  }

  @Test
  void shouldAllowTheSameExpressionTwice() {
    assertEquals(List.of("A + 1", "C2", "A"), labels("SELECT a+1, a + 1, a FROM t"));
    assertEquals(List.of("2 2 1"), sql.query("SELECT a+1, a + 1, a FROM t"));
    assertEquals(List.of("2 2"), sql.query("SELECT * FROM (SELECT a+1, a + 1 FROM t)"));
  }
}
