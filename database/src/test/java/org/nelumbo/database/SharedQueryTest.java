package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.error.ErrorCode;

/** Queries of WITH that are referenced several times run once if that is cheaper. */
@Timeout(60)
class SharedQueryTest {
  private static final String GROUPS = "SELECT b, COUNT(*) n FROM t GROUP BY b";

  private static Database database;
  private static Sql sql;

  @BeforeAll
  static void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)",
        "CREATE SEQUENCE s",
        "INSERT INTO t VALUES (1, 1), (2, 1), (3, 2), (4, NULL)");
    sql.session().commit();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static boolean isShared(String query) {
    return sql.query("EXPLAIN " + query).getFirst().startsWith("SharedQueries");
  }

  private static long scans(String query) {
    return sql.query("EXPLAIN " + query).stream().filter(line -> line.contains("Scan(T)")).count();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true|WITH r AS (" + GROUPS + ") SELECT * FROM r x, r y",
        "true|WITH r AS (" + GROUPS + ") SELECT n FROM r WHERE n = (SELECT MAX(n) FROM r)",
        "true|WITH r AS MATERIALIZED (" + GROUPS + ") SELECT * FROM r",
        "true|WITH r AS MATERIALIZED (SELECT * FROM t) SELECT * FROM r",
        "true|WITH r AS (SELECT RAND() x FROM t) SELECT * FROM r",
        "true|WITH r AS NOT MATERIALIZED (SELECT RAND() x FROM t) SELECT * FROM r x, r y",
        "false|WITH r AS (" + GROUPS + ") SELECT * FROM r",
        "false|WITH r AS NOT MATERIALIZED (" + GROUPS + ") SELECT * FROM r x, r y",
        "false|WITH r AS (SELECT a, b FROM t WHERE b > 0) SELECT * FROM r x, r y",
        "false|WITH r AS (" + GROUPS + "), q AS (SELECT n FROM r) SELECT * FROM q"
      })
  void shouldShareRepeatedMaterializedOrVolatileQueries(boolean shared, String query) {
    assertEquals(shared, isShared(query), query);
    String inlined = query.replaceFirst("AS (NOT )?(MATERIALIZED )?\\(", "AS NOT MATERIALIZED (");
    List<String> rows = sorted(inlined);
    assertFalse(rows.isEmpty());
    if (query.contains("RAND()")) {
      assertEquals(rows.size(), sorted(query).size());
    } else {
      assertEquals(rows, sorted(query));
    }
  }

  private static List<String> sorted(String query) {
    return sql.query(query).stream().sorted().toList();
  }

  /** A query that a shared query references once is a part of that query. */
  @Test
  void shouldCountWhereQueriesAreRun() {
    String once = "WITH r AS (" + GROUPS + "), q AS (SELECT n + 1 n FROM r) SELECT * FROM q x, q y";
    assertEquals("SharedQueries(Q)", sql.query("EXPLAIN " + once).getFirst());
    assertEquals(1, scans(once));
    String inlined = once.replace("q AS (", "q AS NOT MATERIALIZED (");
    assertEquals("SharedQueries(R)", sql.query("EXPLAIN " + inlined).getFirst());
    String both =
        "WITH r AS (" + GROUPS + "), q AS (SELECT x.n FROM r x, r y) SELECT * FROM q x, q y, r";
    assertEquals("SharedQueries(R, Q)", sql.query("EXPLAIN " + both).getFirst());
    assertEquals(1, scans(both));
    assertEquals(
        List.of("243"), sql.query(both.replace("SELECT * FROM q", "SELECT COUNT(*) FROM q")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT x.n, y.b FROM r x JOIN r y ON x.n = y.n ORDER BY 1, 2",
        "SELECT x.n, y.b FROM r x LEFT JOIN r y ON x.b = y.b AND y.n > 1 ORDER BY 1, 2",
        "SELECT a, (SELECT MAX(n) FROM r WHERE r.b = t.b), (SELECT SUM(n) FROM r WHERE r.b <> t.b)"
            + " FROM t ORDER BY a",
        "SELECT a FROM t WHERE b IN (SELECT b FROM r WHERE n > 1) OR a > (SELECT COUNT(*) FROM r)"
            + " ORDER BY a",
        "SELECT n FROM r UNION ALL SELECT b FROM r ORDER BY 1 NULLS FIRST"
      })
  void shouldReturnSameRowsAsInlinedQuery(String query) {
    List<String> inlined = sql.query("WITH r AS NOT MATERIALIZED (" + GROUPS + ") " + query);
    assertFalse(inlined.isEmpty());
    assertEquals(inlined, sql.query("WITH r AS (" + GROUPS + ") " + query));
    assertEquals(inlined, sql.query("WITH r AS MATERIALIZED (" + GROUPS + ") " + query));
  }

  @Test
  void shouldCallVolatileFunctionsOnce() {
    String numbers = "WITH r AS (SELECT a, NEXTVAL('s') v FROM t) ";
    assertEquals(
        List.of("4"), sql.query(numbers + "SELECT COUNT(*) FROM r x, r y WHERE x.v = y.v"));
    assertEquals(
        List.of("1"),
        sql.query(
            "WITH r AS (SELECT NEXTVAL('s') v) SELECT COUNT(DISTINCT v)"
                + " FROM (SELECT (SELECT v FROM r WHERE t.a > 0) v FROM t) q"));
  }

  @Test
  void shouldRerunCorrelatedQueryForEachOuterRow() {
    assertEquals(
        List.of("1 4", "2 4", "3 2", "4 0"),
        sql.query(
            "SELECT a, (WITH z AS (SELECT COUNT(*) n FROM t u WHERE u.b = t.b)"
                + " SELECT SUM(x.n + y.n) FROM z x, z y) FROM t ORDER BY a"));
  }

  @Test
  void shouldBeReadInRecursions() {
    assertEquals(
        List.of("1 3", "2 3", "3 3"),
        sql.query(
            "WITH RECURSIVE r AS ("
                + GROUPS
                + "), q (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM q, r WHERE i < n + 1 AND n >"
                + " 1) SELECT i, (SELECT COUNT(*) FROM q) FROM q ORDER BY i"));
    assertEquals(
        List.of("1", "2", "3"),
        sql.query(
            "WITH RECURSIVE q (i) AS (SELECT 1 UNION SELECT x.i + 1 FROM (WITH z AS (SELECT i,"
                + " COUNT(*) c FROM q GROUP BY i) SELECT z1.i FROM z z1, z z2) x WHERE x.i < 3)"
                + " SELECT i FROM q ORDER BY i"));
  }

  /** Each run of a statement computes the shared rows anew, also after a run that was abandoned. */
  @Test
  void shouldForgetRowsBetweenRuns() {
    String query =
        "WITH r AS (" + GROUPS + ") SELECT (SELECT SUM(n) FROM r), (SELECT COUNT(*) FROM r)";
    assertEquals(List.of("4 3"), sql.query(query));
    sql.update("INSERT INTO t VALUES (5, 9)");
    assertEquals(List.of("5 4"), sql.query(query));
    Failures.assertFails(
        ErrorCode.DIVISION_BY_ZERO,
        () ->
            sql.query(query.replace("(SELECT SUM(n) FROM r)", "(SELECT SUM(1 / (n - 1)) FROM r)")));
    assertEquals(List.of("5 4"), sql.query(query));
    sql.update("DELETE FROM t WHERE a = 5");
    assertEquals(List.of("4 3"), sql.query(query));
  }

  @Test
  void shouldBeReadByChangesOfRows() {
    String rows = "WITH r AS (" + GROUPS + ") ";
    assertEquals(
        1,
        sql.update(
            rows
                + "INSERT INTO t SELECT 10 + x.n, y.n FROM (SELECT MAX(n) n FROM r) x,"
                + " (SELECT MIN(n) n FROM r) y"));
    assertEquals(List.of("12 1"), sql.query("SELECT * FROM t WHERE a > 9"));
    assertTrue(
        sql.update(rows + "DELETE FROM t WHERE a = 12 AND b < (SELECT MAX(x.n) FROM r x, r y)")
            > 0);
  }

  @Test
  void shouldKeepMaterializedKeywordInViews() {
    sql.run("CREATE VIEW v AS WITH r AS MATERIALIZED (" + GROUPS + ") SELECT * FROM r");
    try {
      assertTrue(isShared("SELECT * FROM v"));
    } finally {
      sql.run("DROP VIEW v");
    }
  }
}
