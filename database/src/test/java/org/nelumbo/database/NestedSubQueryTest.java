package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * IN with a query that contains subqueries: it runs once, unless one of its subqueries refers to
 * the outer row.
 */
@Timeout(60)
class NestedSubQueryTest {
  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)",
        "CREATE TABLE u (id INTEGER PRIMARY KEY, b INTEGER)",
        "CREATE TABLE w (id INTEGER PRIMARY KEY, u INTEGER, t INTEGER, n INTEGER)",
        "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30), (4, NULL)",
        "INSERT INTO u VALUES (1, 10), (2, 20), (3, NULL), (4, 30)",
        "INSERT INTO w VALUES (1, 1, 1, 5), (2, 2, 1, 6), (3, 4, 3, 7), (4, 4, 3, 1)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void check(boolean once, List<String> expected, String query) {
    assertEquals(expected, sql.query(query), query);
    String plan = sql.query("EXPLAIN " + query).toString();
    assertEquals(once, plan.contains("HashJoin("), plan);
  }

  @Test
  void shouldRunUncorrelatedSubqueryOnce() {
    check(
        true,
        List.of("1", "2"),
        "SELECT id FROM t WHERE a IN"
            + " (SELECT b FROM u WHERE 7 > (SELECT SUM(n) FROM w WHERE w.u = u.id)) ORDER BY id");
    check(
        true,
        List.of("3"),
        "SELECT id FROM t WHERE a IN"
            + " (SELECT b FROM u WHERE 7 < (SELECT SUM(n) FROM w WHERE w.u = u.id)) ORDER BY id");
  }

  /**
   * A NULL among the values of the subquery makes NOT IN unknown for all other values; so does a
   * NULL on the left.
   */
  @Test
  void shouldEvaluateNotInWithNulls() {
    String notIn =
        "SELECT id FROM t WHERE a NOT IN (SELECT b FROM u WHERE %s"
            + " (SELECT 1 FROM w WHERE w.u = u.id)) ORDER BY id";
    assertEquals(List.of(), sql.query(notIn.formatted("EXISTS")));
    assertEquals(List.of(), sql.query(notIn.formatted("NOT EXISTS")));
    sql.run("DELETE FROM u WHERE b IS NULL", "DELETE FROM w WHERE u = 2");
    assertEquals(List.of("2"), sql.query(notIn.formatted("EXISTS")));
    assertEquals(List.of("1", "3"), sql.query(notIn.formatted("NOT EXISTS")));
  }

  @Test
  void shouldRunSubqueryPerRowIfCorrelatedTwoLevelsBelow() {
    check(
        false,
        List.of("1", "3"),
        "SELECT id FROM t WHERE a IN (SELECT b FROM u WHERE"
            + " 4 < (SELECT SUM(n) FROM w WHERE w.u = u.id AND w.t = t.id)) ORDER BY id");
    check(
        false,
        List.of("1", "3"),
        "SELECT id FROM t WHERE a IN (SELECT b FROM u WHERE 4 < (SELECT SUM(n) FROM w"
            + " WHERE w.u = u.id AND EXISTS (SELECT 1 FROM w x WHERE x.id = w.id AND x.t = t.id)))"
            + " ORDER BY id");
  }

  @Test
  void shouldUseSemiJoinOnlyIfUncorrelated() {
    String once = "SELECT id FROM t WHERE a IN (SELECT b FROM u WHERE 1 < (SELECT MIN(n) FROM w))";
    assertTrue(sql.query("EXPLAIN " + once).toString().contains("HashJoin(SEMI"));
    String each = once.replace("FROM w)", "FROM w WHERE w.t = t.id)");
    assertFalse(sql.query("EXPLAIN " + each).toString().contains("HashJoin(SEMI"));
  }
}
