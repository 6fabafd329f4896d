package org.nelumbo.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * IN, SOME and ALL with a query, within other expressions, are what TRUE, FALSE or NULL would be
 * there.
 */
@Timeout(60)
class ThreeValuedSubQueryTest {
  private static final int ROWS = 5;

  /** Subqueries whose values are known and unknown; each with a place for what it refers to. */
  private static final List<String> SUBQUERIES =
      List.of(
          "a IN (SELECT b FROM u)",
          "a NOT IN (SELECT b FROM u)",
          "a IN (SELECT b FROM u WHERE b IS NOT NULL)",
          "a IN (SELECT b FROM u WHERE u.id >= t.id)",
          "a = SOME (SELECT b FROM u)",
          "a > ALL (SELECT b FROM u WHERE u.id < t.id)",
          "a < SOME (SELECT b FROM u)");

  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)",
        "CREATE TABLE u (id INTEGER PRIMARY KEY, b INTEGER)",
        "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30), (4, NULL), (5, 50)",
        "INSERT INTO u VALUES (1, 10), (2, 20), (3, NULL), (4, 30)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "NOT %s",
        "%s = FALSE",
        "NOT (%s = FALSE)",
        "%s <> TRUE",
        "NOT (%s <> TRUE)",
        "NOT (%s > FALSE)",
        "(%s = FALSE) IS TRUE",
        "(%s = FALSE) IS NOT TRUE",
        "(%s = FALSE) IS NULL",
        "NOT (%s = (t.id > 2))",
        "(%s AND t.id > 1) = FALSE",
        "NOT ((%s OR t.id > 3) = TRUE)",
        "%s IS DISTINCT FROM TRUE",
        "%s IS NOT DISTINCT FROM FALSE",
        "CAST(%s AS VARCHAR(5)) = 'false'",
        "CAST(%s AS VARCHAR(5)) = 'FALSE'",
        "COALESCE(%s, TRUE)",
        "NOT COALESCE(%s, TRUE)",
        "NULLIF(%s, FALSE) IS NULL",
        "CASE WHEN %s THEN t.id > 1 ELSE t.id < 4 END",
        "t.id = 1 OR NOT %s",
        "NOT (t.id = 2 OR NOT %s)",
        "%s IS TRUE = (t.id < 3)",
        "(CASE WHEN t.id = 2 THEN NULL ELSE %s END) = FALSE"
      })
  void shouldBeWhatItsValueWouldBe(String form) {
    for (String subQuery : SUBQUERIES) {
      String whole = form.formatted("(" + subQuery + ")");
      List<String> values = new ArrayList<>();
      List<String> ids = new ArrayList<>();
      for (int id = 1; id <= ROWS; id++) {
        String row = " FROM t WHERE t.id = " + id;
        String value = sql.query("SELECT " + subQuery + row).getFirst();
        String literal = "CAST(" + value + " AS BOOLEAN)";
        String expected = sql.query("SELECT " + form.formatted(literal) + row).getFirst();
        values.add(id + " " + expected);
        if (expected.equals("true")) {
          ids.add("" + id);
        }
      }
      assertEquals(values, sql.query("SELECT t.id, " + whole + " FROM t ORDER BY t.id"), whole);
      assertEquals(ids, sql.query("SELECT t.id FROM t WHERE " + whole + " ORDER BY t.id"), whole);
      String joined =
          "SELECT t.id FROM t JOIN u AS w ON w.id = 1 AND (" + whole + ") ORDER BY t.id";
      assertEquals(ids, sql.query(joined), joined);
      String counted = "SELECT COUNT(*) FROM t WHERE (" + whole + ") IS TRUE";
      assertEquals(List.of("" + ids.size()), sql.query(counted), counted);
    }
  }
}
