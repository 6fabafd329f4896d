package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * IN, SOME and ALL with a query, within other expressions: they behave there as the literals TRUE,
 * FALSE and NULL do.
 */
@Timeout(60)
class ThreeValuedSubQueryTest {
  private static final int ROWS = 5;

  /** Subqueries with known and unknown results; each refers to a column of the outer row. */
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
        "(CASE WHEN t.id = 2 THEN NULL ELSE %s END) = FALSE",
        "%s IN (TRUE, FALSE)",
        "%s IN (SELECT b > 10 FROM u)",
        "%s NOT IN (SELECT b > 10 FROM u WHERE u.id > t.id)",
        "NOT (%s = SOME (SELECT b > 20 FROM u WHERE b > t.id) = FALSE)",
        "(%s IN (SELECT b > 20 FROM u WHERE u.id < t.id)) IN (SELECT b > 20 FROM u)",
        "%s = (SELECT b > 20 FROM u WHERE u.id = t.id)"
      })
  void shouldEvaluateSubqueryLikeItsLiteralValue(String form) {
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

  /**
   * NULL IN an empty set is false. A row with a NULL is not in a set whose rows all differ in
   * another column.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NULL IN (SELECT b FROM u WHERE u.id > t.id) | null null null false false",
        "NULL NOT IN (SELECT b FROM u WHERE u.id > t.id) | null null null true true",
        "CAST(NULL AS INTEGER) = SOME (SELECT b FROM u WHERE u.id > t.id) | null null null false"
            + " false",
        "NULL > ALL (SELECT b FROM u WHERE u.id > t.id) | null null null true true",
        "NULL IN (SELECT b FROM u WHERE u.id > 4) | false false false false false",
        "NULL NOT IN (SELECT b FROM u) | null null null null null",
        "(NULL, 10) IN (SELECT b, b FROM u WHERE u.id >= t.id) | null null null false false",
        "(a, NULL) NOT IN (SELECT b, b FROM u WHERE u.id = t.id) | null null null null true",
        "(id, a) IN (SELECT id, b FROM u WHERE id < 3) | true true false false false",
        "(id, a) NOT IN (SELECT id, b FROM u) | false false null null true",
        "(a, id, 1) IN (SELECT b, id, 1 FROM u WHERE u.id <= t.id) | true true null null false",
        "(a, 10) NOT IN (SELECT b, b FROM u WHERE b > 0) | false true true null true",
        "(a, 1) NOT IN (SELECT b, CAST(NULL AS INTEGER) FROM u WHERE b > 0) | null null null null"
            + " true",
        "(id, 1) IN (SELECT id, NULLIF(1, 1) FROM u WHERE b > 0) | null null false null false",
        "(a, a) IN (SELECT b, id FROM u WHERE id = 5) | false false false false false",
        "(id, (SELECT b FROM u WHERE u.id = t.id)) IN (SELECT id, 10 FROM u) | true false null"
            + " false false"
      })
  void shouldDistinguishUnknownFromFalse(String subQuery, String expected) {
    List<String> values = List.of(expected.split(" "));
    assertEquals(values, sql.query("SELECT " + subQuery + " FROM t ORDER BY id"));
    for (String is : List.of("TRUE", "FALSE", "NULL")) {
      List<String> ids = new ArrayList<>();
      for (int id = 1; id <= ROWS; id++) {
        if (values.get(id - 1).equalsIgnoreCase(is)) {
          ids.add("" + id);
        }
      }
      String where = "SELECT id FROM t WHERE (" + subQuery + ") IS " + is + " ORDER BY id";
      assertEquals(ids, sql.query(where), where);
    }
    String plain = "SELECT id FROM t WHERE " + subQuery;
    assertEquals(values.stream().filter("true"::equals).count(), sql.query(plain).size(), plain);
    String negated = "SELECT id FROM t WHERE NOT (" + subQuery + ")";
    long falses = values.stream().filter("false"::equals).count();
    assertEquals(falses, sql.query(negated).size(), negated);
    String joined = "SELECT t.id FROM t JOIN (VALUES (1), (2)) v (x) ON NOT (" + subQuery + ")";
    assertEquals(2 * falses, sql.query(joined).size(), joined);
  }

  /** References to a row two levels out, in a select list or in a condition. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FROM (SELECT u.b IN (SELECT a FROM t s WHERE s.id = t.id) AS f FROM u) d WHERE f | 1 1 1 0"
            + " 0",
        "FROM u WHERE NOT ((u.b IN (SELECT a FROM t s WHERE s.id = t.id)) = FALSE) | 1 1 1 0 0",
        "FROM u WHERE (u.b IN (SELECT a FROM t s WHERE s.id = t.id)) IN (TRUE, NULL) | 1 1 1 0 0",
        "FROM u WHERE (t.a IN (SELECT b FROM u w WHERE w.id > t.id)) IN (SELECT FALSE FROM u) | 0 0"
            + " 0 4 4",
        "FROM (SELECT (SELECT MAX(a) FROM t s WHERE s.id = t.id) AS f FROM u WHERE b IN (SELECT 30"
            + " FROM t) OR id = 1) d WHERE f > 10 | 0 2 2 0 2"
      })
  void shouldReferToTheRowThatIsMeant(String rows, String expected) {
    assertEquals(
        List.of(expected.split(" ")),
        sql.query("SELECT (SELECT COUNT(*) " + rows + ") FROM t ORDER BY id"));
  }
}
