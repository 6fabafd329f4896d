package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * ORDER BY over a query with its own ORDER BY and LIMIT: the outer order does not replace the inner
 * one and is not lost. The expected values are those of PostgreSQL.
 */
@Timeout(60)
class OuterOrderTest {
  private static final String FIRST = "(SELECT id, a FROM t ORDER BY a, id LIMIT 3)";

  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b VARCHAR(5))",
        "INSERT INTO t VALUES (1, 3, 'c'), (2, 1, 'a'), (3, 9, 'b'), (4, 2, 'q'), (5, 1, 'z')",
        "CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL, c INTEGER NOT NULL)",
        "CREATE INDEX u_t ON u (t_id)",
        "CREATE INDEX t_a ON t (a)",
        "INSERT INTO u VALUES (1, 5, 1), (2, 4, 7), (3, 2, 3), (4, 2, 9), (5, 1, 4), (6, 5, 2)",
        "CREATE VIEW v AS SELECT id, a, b FROM t ORDER BY a, id LIMIT 3");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "SELECT id FROM {FIRST} q ORDER BY id => 2,4,5",
        "SELECT id FROM {FIRST} q ORDER BY id LIMIT 2 => 2,4",
        "SELECT id FROM (SELECT id, a FROM t ORDER BY a, id OFFSET 2) q ORDER BY id DESC => 4,3,1",
        "SELECT id FROM (SELECT id, a FROM t ORDER BY a, id OFFSET 1 ROWS FETCH FIRST 3 ROWS ONLY)"
            + " q ORDER BY id DESC => 5,4,1",
        "SELECT id FROM v ORDER BY id => 2,4,5",
        "SELECT id FROM v ORDER BY a, id DESC => 5,2,4",
        "SELECT id FROM v ORDER BY a DESC, id DESC => 4,5,2",
        "SELECT id FROM v ORDER BY a => 2,5,4",
        "SELECT a, id FROM v ORDER BY a, id => 1 2,1 5,2 4",
        "SELECT b FROM v ORDER BY b OFFSET 1 => q,z",
        "WITH w AS {FIRST} SELECT id FROM w ORDER BY id DESC => 5,4,2",
        "WITH w AS {FIRST} SELECT x.id, y.id FROM w x JOIN w y ON x.a < y.a ORDER BY y.id, x.id"
            + " DESC => 5 4,2 4",
        "SELECT id FROM {FIRST} q WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = q.id) ORDER BY id =>"
            + " 2,4,5",
        "SELECT id FROM {FIRST} q WHERE id IN (SELECT t_id FROM u) ORDER BY id DESC => 5,4,2",
        "SELECT id FROM {FIRST} q WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.t_id = q.id AND c = 9)"
            + " ORDER BY id DESC => 5,4",
        "SELECT q.id, u.id FROM {FIRST} q JOIN u ON u.t_id = q.id ORDER BY q.id, u.id DESC => 2 4,2"
            + " 3,4 2,5 6,5 1",
        "SELECT q.id, u.id FROM {FIRST} q LEFT JOIN u ON u.t_id = q.id AND u.c > 5 ORDER BY q.id,"
            + " u.id => 2 4,4 2,5 null",
        "SELECT q.id, u.id FROM u LEFT JOIN {FIRST} q ON u.t_id = q.id WHERE u.id < 4 ORDER BY u.id"
            + " DESC => 2 3,4 2,5 1",
        "SELECT q.id, u.id FROM u RIGHT JOIN {FIRST} q ON u.t_id = q.id ORDER BY q.id, u.id => 2"
            + " 3,2 4,4 2,5 1,5 6",
        "SELECT q.id, w.id FROM {FIRST} q FULL JOIN (SELECT id FROM t ORDER BY id DESC LIMIT 4) w"
            + " ON w.id = q.id ORDER BY w.id, q.id => 2 2,null 3,4 4,5 5",
        "SELECT q.id, w.c FROM {FIRST} q, LATERAL (SELECT c FROM u WHERE u.t_id = q.id ORDER BY c"
            + " DESC LIMIT 1) w ORDER BY q.id => 2 9,4 7,5 2",
        "SELECT q.id, w.c FROM {FIRST} q, LATERAL (SELECT c FROM u WHERE u.t_id = q.id ORDER BY c"
            + " DESC LIMIT 1) w ORDER BY w.c => 5 2,4 7,2 9",
        "SELECT id FROM (SELECT id FROM t ORDER BY a, id LIMIT 3) q UNION ALL (SELECT id + 10 FROM"
            + " t ORDER BY a DESC LIMIT 2) ORDER BY 1 DESC => 13,11,5,4,2",
        "(SELECT id FROM t ORDER BY a, id LIMIT 4) INTERSECT (SELECT id FROM t ORDER BY id DESC"
            + " LIMIT 3) ORDER BY id => 4,5",
        "(SELECT id FROM t ORDER BY a, id LIMIT 4) EXCEPT (SELECT id FROM t ORDER BY id DESC LIMIT"
            + " 1) ORDER BY id DESC => 4,2,1",
        "SELECT DISTINCT a FROM (SELECT id, a FROM t ORDER BY id DESC LIMIT 4) q ORDER BY a =>"
            + " 1,2,9",
        "SELECT a, COUNT(*) FROM (SELECT id, a FROM t ORDER BY id DESC LIMIT 4) q GROUP BY a ORDER"
            + " BY a DESC => 9 1,2 1,1 2",
        "SELECT id, ROW_NUMBER() OVER (ORDER BY id) FROM {FIRST} q ORDER BY id DESC => 5 3,4 2,2 1",
        "SELECT id, n FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id DESC) AS n FROM {FIRST} q) z"
            + " ORDER BY id => 2 3,4 2,5 1",
        "SELECT MAX(id) FROM {FIRST} q => 5",
        "SELECT MIN(id) FROM (SELECT id, a FROM t ORDER BY a DESC LIMIT 3) q => 1",
        "SELECT MAX(a) FROM (SELECT a, id FROM t ORDER BY id LIMIT 3) q => 9",
        "SELECT MIN(b) FROM v => a",
        "SELECT MAX(a) FROM v => 2",
        "SELECT MIN(a) FROM v => 1",
        "SELECT MAX(id) FROM (SELECT id, a FROM t ORDER BY a, id OFFSET 2) q => 4",
        "SELECT (SELECT MAX(id) FROM (SELECT id, a FROM t WHERE a >= x.a ORDER BY a, id LIMIT 2) q)"
            + " FROM t x ORDER BY x.id => 3,5,3,4,5",
        "SELECT MAX(q.id) FROM {FIRST} q JOIN u ON u.t_id = q.id => 5",
        "SELECT id FROM (SELECT id FROM (SELECT id, a FROM t ORDER BY a, id LIMIT 4) q ORDER BY id"
            + " DESC LIMIT 3) z ORDER BY id => 2,4,5",
        "SELECT MAX(id) FROM (SELECT id FROM (SELECT id, a FROM t ORDER BY a, id LIMIT 4) q ORDER"
            + " BY id LIMIT 2) z => 2",
        "SELECT id FROM (SELECT id, a FROM t ORDER BY a DESC, id FETCH FIRST 2 ROWS ONLY) q WHERE a"
            + " > 0 ORDER BY id => 1,3",
        "SELECT id FROM (SELECT id, a FROM t WHERE a = 1 ORDER BY id DESC LIMIT 2) q ORDER BY a, id"
            + " => 2,5",
        "SELECT id FROM (SELECT id, a FROM t WHERE id = 3 ORDER BY a LIMIT 2) q ORDER BY id => 3",
        "SELECT x.id, u.id FROM t x JOIN u ON u.t_id = x.id WHERE x.id = 5 ORDER BY u.c DESC => 5"
            + " 6,5 1",
        "SELECT x.id, u.id FROM t x JOIN u ON u.t_id = x.id WHERE x.id = 5 ORDER BY x.id, u.c DESC"
            + " => 5 6,5 1",
        "SELECT x.id, u.id FROM t x LEFT JOIN u ON u.t_id = x.id WHERE x.id = 2 ORDER BY x.a, u.c"
            + " DESC => 2 4,2 3",
        "SELECT x.id, u.id FROM t x, u WHERE x.id = 5 ORDER BY u.c DESC LIMIT 2 => 5 4,5 2",
        "SELECT x.id, w.id FROM t x, LATERAL (SELECT id, c FROM u WHERE u.t_id = x.id) w WHERE x.id"
            + " = 5 ORDER BY w.c DESC => 5 6,5 1",
        "SELECT id FROM (SELECT id, a, a + 1 AS p FROM t ORDER BY p, id LIMIT 3) q ORDER BY -id =>"
            + " 5,4,2",
        "SELECT id FROM {FIRST} q ORDER BY (SELECT MAX(c) FROM u WHERE u.t_id = q.id) DESC =>"
            + " 2,4,5",
        "SELECT id FROM t WHERE id >= ALL (SELECT id FROM {FIRST} q ORDER BY id LIMIT 2) ORDER BY a"
            + " DESC, id => 4,5",
        "SELECT id FROM (VALUES (1, 3), (2, 1), (3, 9), (4, 2)) x(id, a) WHERE id IN (SELECT id"
            + " FROM {FIRST} q ORDER BY id LIMIT 1) ORDER BY id => 2",
        "SELECT id FROM (SELECT id, a FROM (VALUES (1, 3), (2, 1), (3, 9), (4, 2)) x(id, a) ORDER"
            + " BY a LIMIT 3) y ORDER BY id => 1,2,4",
        "SELECT id FROM (SELECT id FROM generate_series(1, 5) g(id) ORDER BY id DESC LIMIT 3) q"
            + " ORDER BY id => 3,4,5",
        "SELECT MAX(n) FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n"
            + " < 5) SELECT n FROM r ORDER BY n LIMIT 3) q => 3",
        "SELECT FIRST_VALUE(id) OVER (ORDER BY id) FROM {FIRST} q ORDER BY id LIMIT 1 => 2",
        "SELECT id FROM {FIRST} q ORDER BY id FOR UPDATE => 2,4,5"
      })
  void shouldApplyBothInnerAndOuterOrder(String query, String expected) {
    assertEquals(List.of(expected.split(",")), sql.query(query.replace("{FIRST}", FIRST)));
  }

  @Test
  void shouldChangeTheRowsThatTheOuterQueryChooses() {
    sql.run(
        "DELETE FROM t WHERE id IN (SELECT id FROM (SELECT id, a FROM t ORDER BY a, id LIMIT 3) q"
            + " ORDER BY id DESC LIMIT 1)");
    assertEquals(List.of("1", "2", "3", "4"), sql.query("SELECT id FROM t ORDER BY id"));
    sql.run(
        "UPDATE t SET a = 100 WHERE id ="
            + " (SELECT MAX(id) FROM (SELECT id, a FROM t ORDER BY a, id LIMIT 2) q)");
    assertEquals(
        List.of("1 3", "2 1", "3 9", "4 100"), sql.query("SELECT id, a FROM t ORDER BY id"));
    sql.run(
        "UPDATE t SET a = a + 1 WHERE id IN (SELECT id FROM (SELECT id, a FROM t ORDER BY a LIMIT"
            + " 3) q ORDER BY id DESC LIMIT 2)");
    assertEquals(
        List.of("1 3", "2 2", "3 10", "4 100"), sql.query("SELECT id, a FROM t ORDER BY id"));
  }

  @Test
  void shouldNotSortRowsAlreadyInRequiredOrder() {
    assertEquals(
        1, sorts("SELECT id FROM (SELECT id, b FROM t ORDER BY b, id LIMIT 3) q ORDER BY b"));
    assertEquals(
        2, sorts("SELECT id FROM (SELECT id, b FROM t ORDER BY b LIMIT 3) q ORDER BY b, id"));
    assertEquals(
        2, sorts("SELECT id FROM (SELECT id, b FROM t ORDER BY b LIMIT 3) q ORDER BY b DESC"));
    assertEquals(0, sorts("SELECT id FROM (SELECT id FROM t ORDER BY id LIMIT 3) q ORDER BY id"));
    assertEquals(0, sorts("SELECT b FROM t WHERE id = 3 ORDER BY b"));
    assertEquals(0, sorts("SELECT u.c FROM u JOIN t ON t.id = u.t_id WHERE u.id = 3 ORDER BY t.b"));
  }

  private long sorts(String query) {
    return sql.query("EXPLAIN " + query).stream()
        .filter(line -> line.matches(".*(Sort|TopN)\\(.*"))
        .count();
  }
}
