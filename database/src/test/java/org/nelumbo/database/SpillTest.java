package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.limit.MemoryBudget;
import org.nelumbo.session.SessionOptions;

/**
 * Proves that statements with little memory return the same rows as statements with much memory.
 */
@Timeout(120)
class SpillTest {
  private static final long LITTLE = 350 << 10;
  private static final String ONE_PARTITION = "SELECT s, SUM(k) OVER (ORDER BY s, k) FROM t";

  private static Database database;

  @BeforeAll
  static void fill() {
    database = Sql.memory();
    try (Sql sql = new Sql(database)) {
      sql.run(
          "CREATE TABLE digit (x INTEGER PRIMARY KEY)",
          "INSERT INTO digit VALUES " + Sql.rows(0, 100, String::valueOf),
          "CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, s VARCHAR(60), d DECIMAL(30, 4),"
              + " n INTEGER)",
          "CREATE TABLE u (id INTEGER PRIMARY KEY, k INTEGER, s VARCHAR(60))",
          "INSERT INTO t SELECT id, k, 'text \u20ac ' || CAST(MOD(k, 2500) AS VARCHAR(9))"
              + " || ' of some length', MOD(k, 1500) + 0.25,"
              + " CASE WHEN MOD(id, 3) > 0 THEN MOD(id, 4500) END"
              + " FROM (SELECT a.x * 100 + b.x id, MOD((a.x * 100 + b.x) * 7919, 6000) k"
              + " FROM digit a, digit b WHERE a.x < 60) x",
          "INSERT INTO u SELECT id, k, 'latin ' || CAST(MOD(k, 1000) AS VARCHAR(9)) FROM t"
              + " WHERE MOD(id, 2) = 0");
      assertEquals(List.of("6000"), sql.query("SELECT COUNT(*) FROM t"));
    }
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static Sql session(long statementMemory) {
    return new Sql(
        database.connect(SessionOptions.defaults().withMaxStatementMemory(statementMemory)));
  }

  private static List<String> rows(long statementMemory, String query) {
    try (Sql sql = session(statementMemory)) {
      return sql.query(query);
    }
  }

  private static boolean spills(String query) {
    try (Sql sql = session(LITTLE)) {
      return sql.query("EXPLAIN ANALYZE " + query).stream().anyMatch(l -> l.contains("spilled="));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, s, d FROM t ORDER BY s DESC, id",
        "SELECT id, n FROM t ORDER BY n NULLS LAST, id",
        "SELECT id, s || 'x', d + 1 FROM t ORDER BY d, id",
        "SELECT id, s, d FROM t ORDER BY s || d, id OFFSET 100 ROWS FETCH NEXT 5500 ROWS ONLY",
        "SELECT k, s FROM t ORDER BY k FETCH FIRST 4500 ROWS ONLY"
      })
  void shouldSortInTheSameOrder(String query) {
    assertEquals(rows(0, query), rows(LITTLE, query));
    assertTrue(spills(query), query);
  }

  /**
   * The limit is reached by twice the requested number of rows, or by the copy of the best rows.
   */
  @Test
  void shouldSortHoweverManyRowsAreWanted() {
    String query =
        "SELECT t.s, x, id FROM digit, t WHERE id < 200 ORDER BY MOD(x * 37 + id, 1000), x, id"
            + " FETCH FIRST ";
    for (int limit = 2000; limit <= 3000; limit += 1000) {
      String limited = query + limit + " ROWS ONLY";
      List<String> expected = rows(0, limited);
      for (long memory = 512 << 10; memory <= 1536 << 10; memory += 128 << 10) {
        assertEquals(expected, rows(memory, limited), "limit=" + limit + " memory=" + memory);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT k, COUNT(*), SUM(n), MIN(s), MAX(d) FROM t GROUP BY k",
        "SELECT s, d, COUNT(n), AVG(d), MAX(s) FROM t GROUP BY s, d",
        "SELECT n, COUNT(*) FROM t GROUP BY n, s HAVING COUNT(*) > 0",
        "SELECT DISTINCT s, n FROM t",
        "SELECT s, d FROM t UNION SELECT s, k FROM u",
        "SELECT s, n FROM t INTERSECT SELECT s, n FROM t WHERE MOD(id, 5) < 4",
        "SELECT s FROM t INTERSECT ALL SELECT s FROM t WHERE MOD(id, 5) < 4",
        "SELECT s, n FROM t EXCEPT SELECT s, n FROM t WHERE MOD(k, 5) < 2",
        "SELECT s, k FROM t EXCEPT SELECT s, id FROM t WHERE id < 10",
        "SELECT s FROM t EXCEPT ALL SELECT s FROM t WHERE MOD(id, 5) < 4",
        "SELECT s || d FROM t EXCEPT ALL SELECT s || d FROM t WHERE MOD(id, 5) < 4",
        "SELECT COUNT(DISTINCT s || k), SUM(DISTINCT n), COUNT(*) FROM t",
        "SELECT MOD(k, 3), COUNT(DISTINCT s || k) FILTER (WHERE n > 5), SUM(DISTINCT n + k)"
            + " FROM t GROUP BY MOD(k, 3)",
        "SELECT s, COUNT(DISTINCT n), MAX(d), SUM(DISTINCT k) FROM t GROUP BY s",
        "SELECT t.id, u.id, u.s FROM t JOIN u ON t.id < u.id + 5000 WHERE t.id > 5990",
        "SELECT t.id, u.id, u.s FROM (SELECT * FROM t WHERE id < 20) t LEFT JOIN u"
            + " ON t.k > u.k + 3000 AND t.s <> u.s",
        "SELECT t.id, u.id, u.s FROM (SELECT * FROM t WHERE id < 20) t FULL JOIN u"
            + " ON t.k > u.k + 3000 AND t.s <> u.s",
        "SELECT t.id, t.s, u.s FROM t JOIN u ON t.s = u.s || ''",
        "SELECT t.id, u.id, u.s FROM t JOIN u ON t.n = u.k",
        "SELECT t.id, u.s FROM t LEFT JOIN u ON t.n = u.k AND t.d > 5",
        "SELECT t.s, u.id FROM u RIGHT JOIN t ON t.n = u.k",
        "SELECT t.id, u.id, t.s, u.s FROM t FULL JOIN u ON t.n = u.k",
        "WITH r AS (SELECT DISTINCT s, k FROM t) SELECT x.s, y.k FROM r x, r y WHERE x.k = y.k + 1",
        "WITH r AS (SELECT DISTINCT s, k, d FROM t) SELECT x.s, y.k FROM (SELECT * FROM r"
            + " FETCH FIRST 2 ROWS ONLY) x, r y WHERE y.k >= (SELECT COUNT(*) / 2 FROM r)",
        "SELECT id, (SELECT COUNT(*) FROM u WHERE u.s || '' = t.s) FROM t",
        "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t x WHERE x.s = t.s AND x.id > t.id + 100)"
      })
  void shouldFindTheSameRows(String query) {
    List<String> expected = new ArrayList<>(rows(0, query));
    List<String> found = new ArrayList<>(rows(LITTLE, query));
    Collections.sort(expected);
    Collections.sort(found);
    assertEquals(expected, found);
  }

  /** The limit is reached at a value that is in the table already, or at a new one. */
  @Test
  void shouldPassARowOnceWhereverMemoryEnds() {
    String twice =
        "SELECT COUNT(*) FROM (SELECT (a.x * 200 + b.x) / 2 FROM digit a,"
            + " (SELECT x FROM digit UNION ALL SELECT x + 100 FROM digit) b EXCEPT VALUES -1) x";
    for (long memory = 240 << 10; memory < LITTLE; memory += 20 << 10) {
      assertEquals(List.of("10000"), rows(memory, twice), "memory=" + memory);
    }
  }

  @Test
  void shouldUseFilesForGroupsJoinsAndDistinctRows() {
    assertTrue(spills("SELECT s, k, COUNT(*) FROM t GROUP BY s, k"), "GROUP BY");
    assertTrue(spills("SELECT DISTINCT s, k FROM t"), "DISTINCT");
    assertTrue(spills("SELECT COUNT(*) FROM t JOIN t x ON t.s || '' = x.s || ''"), "join");
    assertTrue(
        spills("SELECT COUNT(x.s) FROM t JOIN t x ON t.k < x.k WHERE t.id < 5"),
        "join without keys");
    assertTrue(spills("SELECT s, k FROM t INTERSECT SELECT s, k FROM t"), "INTERSECT");
    assertTrue(spills("SELECT s, k FROM t EXCEPT SELECT s, k FROM u"), "EXCEPT");
    assertTrue(spills("SELECT COUNT(DISTINCT s || k) FROM t"), "COUNT(DISTINCT)");
    assertTrue(
        spills("WITH r AS MATERIALIZED (SELECT s || 'x' s FROM t) SELECT COUNT(s) FROM r"), "WITH");
  }

  @Test
  void shouldReportSpillsInQueryMemoryView() {
    String own =
        "SELECT SCOPE, PEAK_BYTES > 0, REFUSALS, SPILLS > 0, SPILLED_BYTES > SPILLS"
            + " FROM sys.query_memory WHERE session_id = ";
    try (Sql sql = session(LITTLE)) {
      own += sql.session().id();
      assertEquals(List.of("SESSION false 0 false false"), sql.query(own));
      assertEquals(6000, sql.query("SELECT id, s, d FROM t ORDER BY s DESC, id").size());
      // The limit of the statement caused the spill, not that of the session.
      assertEquals(List.of("SESSION true 0 true true"), sql.query(own));
      assertEquals(
          List.of("true true"),
          sql.query(
              "SELECT SPILLS > 0, LIMIT_BYTES > PEAK_BYTES FROM sys.query_memory"
                  + " WHERE scope = 'JVM'"));
    }
  }

  @Test
  void shouldFailIfWindowPartitionExceedsMemory() {
    try (Sql sql = session(LITTLE)) {
      assertFails(ErrorCode.OUT_OF_MEMORY, "OVER needs ", () -> sql.query(ONE_PARTITION));
      assertEquals(List.of("1"), sql.query("VALUES 1"));
    }
  }

  @Test
  void shouldLimitWriteSetOfTransactionAndCountRefusal() {
    SessionOptions options = SessionOptions.defaults().withMaxSessionMemory(700 << 10);
    try (Sql sql = new Sql(database.connect(options))) {
      sql.run("CREATE TABLE w (id INTEGER PRIMARY KEY, s VARCHAR(60))");
      assertFails(ErrorCode.OUT_OF_MEMORY, () -> sql.run("INSERT INTO w SELECT id, s FROM t"));
      assertEquals(List.of("0"), sql.query("SELECT COUNT(*) FROM w"));
      String refusals =
          "SELECT REFUSALS > 0 FROM sys.query_memory WHERE session_id = " + sql.session().id();
      assertEquals(List.of("true"), sql.query(refusals));
      sql.run("INSERT INTO w SELECT id, s FROM t WHERE id < 1000", "DROP TABLE w");
    }
  }

  @Test
  void shouldReleaseAllMemory() {
    long before = MemoryBudget.ofJvm().used();
    try (Sql sql = session(LITTLE)) {
      sql.query("SELECT DISTINCT s, k FROM t ORDER BY s, k");
      sql.query("SELECT COUNT(DISTINCT s || k) FROM t INTERSECT VALUES 6000");
      sql.query("WITH r AS MATERIALIZED (SELECT s || k s FROM t) SELECT s FROM r LIMIT 2");
      sql.query("SELECT s, k FROM t EXCEPT SELECT s, k FROM u FETCH FIRST 2 ROWS ONLY");
      sql.query("SELECT t.id, x.s FROM t LEFT JOIN t x ON t.k > x.k FETCH FIRST 2 ROWS ONLY");
      assertFails(ErrorCode.OUT_OF_MEMORY, () -> sql.query(ONE_PARTITION));
      assertEquals(before, MemoryBudget.ofJvm().used());
    }
    assertEquals(before, MemoryBudget.ofJvm().used());
  }
}
