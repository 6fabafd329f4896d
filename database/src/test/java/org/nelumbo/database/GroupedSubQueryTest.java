package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.error.ErrorCode;

/** Correlated scalar subqueries that run once for all groups, and those that do not. */
@Timeout(60)
class GroupedSubQueryTest {
  private static Database database;
  private static Sql sql;

  @BeforeAll
  static void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER, c VARCHAR(5))",
        "CREATE TABLE u (id INTEGER PRIMARY KEY, b INTEGER, v INTEGER, c CHAR(3))",
        "CREATE TABLE k (id INTEGER PRIMARY KEY, b INTEGER, v INTEGER)",
        "CREATE INDEX k_b ON k (b)",
        "INSERT INTO t VALUES (1, 1, 'x'), (2, 1, 'y'), (3, 2, 'x'), (4, NULL, NULL), (5, 7, 'z')",
        "INSERT INTO u VALUES (1, 1, 5, 'x'), (2, 1, NULL, 'x'), (3, 2, NULL, 'y'),"
            + " (4, NULL, 9, NULL), (5, 1, 8, 'z')");
    sql.session().commit();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static boolean isGrouped(String query) {
    return sql.query("EXPLAIN " + query).toString().contains("HashAggregate(BY");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "COUNT(*)|u.b = t.b|3,3,1,0,0",
        "COUNT(v)|t.b = u.b|2,2,0,0,0",
        "COUNT(*) * 2 + 1|u.b = t.b AND v > 5|3,3,1,1,1",
        "SUM(v)|u.b = t.b|13,13,null,null,null",
        "COALESCE(MAX(v), -1)|u.b = t.b|8,8,-1,-1,-1",
        "MIN(v) + COUNT(*)|u.b = t.b|8,8,null,null,null",
        "SUM(v + id)|u.b = t.b AND v IS NOT NULL|19,19,null,null,null",
        "COUNT(*) FILTER (WHERE v > 5)|u.b = t.b|1,1,0,0,0",
        "COUNT(DISTINCT c)|u.b = t.b|2,2,1,0,0",
        "COUNT(*)|u.b = t.b AND t.a + 4 = u.v|1,0,0,0,0",
        "COUNT(*)|u.c = t.c|2,1,2,0,1",
        "MAX(id)|u.b + 1 = t.b|null,null,5,null,null",
        "MAX(id)|u.b = t.a - 1|null,5,3,null,null"
      })
  void shouldReturnSameValuesAsPerRowExecution(String select, String where, String values) {
    String query = "SELECT (SELECT " + select + " FROM u WHERE " + where + ") FROM t ORDER BY t.a";
    assertTrue(isGrouped(query), () -> sql.query("EXPLAIN " + query).toString());
    assertEquals(List.of(values.split(",")), sql.query(query));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT COUNT(*) FROM u WHERE u.b < t.b|0,0,3,0,4",
        "SELECT COUNT(*) FROM u WHERE u.b = t.b OR u.v = t.a|3,3,1,0,1",
        "SELECT SUM(u.v + t.a) FROM u WHERE u.b = t.b|15,17,null,null,null",
        "SELECT COUNT(*) FROM u WHERE u.b = t.b HAVING COUNT(*) > 1|3,3,null,null,null",
        "SELECT COUNT(*) FROM (SELECT v FROM u WHERE u.b = t.b FETCH FIRST 2 ROWS ONLY)"
            + " x|2,2,1,0,0",
        "SELECT COUNT(*) FROM k WHERE k.b = t.b|0,0,0,0,0"
      })
  void shouldRunSubqueryPerRowIfNotGroupable(String subQuery, String values) {
    String query = "SELECT (" + subQuery + ") FROM t ORDER BY t.a";
    assertTrue(!isGrouped(query), () -> sql.query("EXPLAIN " + query).toString());
    assertEquals(List.of(values.split(",")), sql.query(query));
  }

  @Test
  void shouldRefuseMoreThanOneRow() {
    Failures.assertFails(
        ErrorCode.CARDINALITY, () -> sql.query("SELECT (SELECT v FROM u WHERE u.b = t.b) FROM t"));
  }

  /**
   * A subquery that runs for each row of another relation must not read a whole table each time.
   */
  @Test
  void shouldNotReadAllGroupsAgainAndAgain() {
    String query =
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.b < t.b AND u.v >"
            + " (SELECT AVG(w.v) FROM u w WHERE w.b = u.b))";
    assertTrue(!isGrouped(query), () -> sql.query("EXPLAIN " + query).toString());
    assertEquals(List.of("3", "5"), sql.query(query + " ORDER BY a"));
  }

  /** A page of results looks up a few rows; a result of many rows is cheaper as a join. */
  @Test
  void shouldChooseByCost() {
    sql.run(
        "CREATE TABLE l (id INTEGER PRIMARY KEY, b INTEGER)",
        "CREATE TABLE m (id INTEGER PRIMARY KEY, b INTEGER, v INTEGER)",
        "CREATE INDEX m_b ON m (b)");
    sql.updateMany("INSERT INTO l VALUES (?, ?)", 6_000, i -> new Object[] {i, i / 3});
    sql.updateMany("INSERT INTO m VALUES (?, ?, ?)", 6_000, i -> new Object[] {i, i % 600, i});
    sql.session().commit();
    sql.run("ANALYZE TABLE m", "ANALYZE TABLE l");
    String value = "SELECT id, (SELECT SUM(v) FROM m WHERE m.b = l.b) FROM l";
    assertTrue(isGrouped(value), () -> sql.query("EXPLAIN " + value).toString());
    assertTrue(!isGrouped(value + " ORDER BY id FETCH FIRST 5 ROWS ONLY"));
    assertTrue(!isGrouped(value + " WHERE id < 10"));
    String semi = "SELECT id FROM l WHERE EXISTS (SELECT 1 FROM m WHERE m.b = l.b AND m.v > 5)";
    String plan = sql.query("EXPLAIN " + semi).toString();
    assertTrue(plan.contains("HashJoin(SEMI"), plan);
    String few = sql.query("EXPLAIN " + semi + " AND id < 10").toString();
    assertTrue(few.contains("NestedLoopIndexJoin(SEMI"), few);
    String left = "SELECT l.id, m.v FROM l LEFT JOIN m ON m.b = l.b";
    String whole = sql.query("EXPLAIN " + left).toString();
    assertTrue(whole.contains("HashJoin(LEFT"), whole);
    String page =
        sql.query("EXPLAIN " + left + " ORDER BY l.id FETCH FIRST 5 ROWS ONLY").toString();
    assertTrue(page.contains("NestedLoopIndexJoin(LEFT"), page);
    assertEquals(1800, sql.query(semi).size());
    assertEquals(List.of("22200"), sql.query("SELECT COUNT(*) FROM (" + left + ") x"));
  }
}
