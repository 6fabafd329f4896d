package org.nelumbo.planner.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.apache.calcite.sql.SqlNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.error.NelumboException;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.frontend.SqlFrontEnd;

/**
 * Proves that the fast path converts queries to the same trees as the full path. {@code
 * -Dnelumbo.test.jvm=-Dnelumbo.plain.queries=1000000} makes a longer run, {@code -Dnelumbo.seed}
 * sets another seed.
 */
@Timeout(120)
class PlainQueryTest {
  private static final int QUERIES = Integer.getInteger("nelumbo.plain.queries", 2_000);

  private static PlainCatalog catalog;

  private final SqlFrontEnd frontEnd = new SqlFrontEnd();

  @BeforeAll
  static void open() {
    catalog = new PlainCatalog("CREATE SEQUENCE sq", "CREATE VIEW seen AS SELECT id, a FROM t");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  private ConvertedStatement plain(String sql, boolean lifts) {
    SqlNode statement = PlainCatalog.parsed(sql, lifts);
    return parts(statement).convertPlain(statement);
  }

  private ConvertedStatement any(String sql, boolean lifts) {
    SqlNode statement = PlainCatalog.parsed(sql, lifts);
    return parts(statement).convertAny(statement);
  }

  private SqlFrontEnd.StatementParts parts(SqlNode statement) {
    return catalog.parts(frontEnd, statement);
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.DAYS)
  void shouldMakeTheSameTrees() {
    long seed = Long.getLong("nelumbo.seed", 20_261_127);
    PlainSql queries = new PlainSql(seed);
    int taken = 0;
    for (int i = 0; i < QUERIES; i++) {
      String sql = queries.query();
      boolean lifts = i % 2 == 0;
      ConvertedStatement plain = plain(sql, lifts);
      if (plain != null) {
        taken++;
        ConvertedStatement any;
        try {
          any = any(sql, lifts);
        } catch (NelumboException e) {
          throw new AssertionError("seed " + seed + ", only the long way refuses " + sql, e);
        }
        assertNull(RelDifference.of(plain, any), () -> "seed " + seed + ": " + sql);
      }
    }
    assertTrue(taken > QUERIES / 4, taken + " queries went the short way");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t",
        "SELECT a, n FROM t WHERE id = 5",
        "SELECT v FROM t x WHERE x.a > 1 AND n <= 2.5 OR NOT f IN (1, 2) ORDER BY 1 DESC",
        "SELECT a + 1 AS b1, COUNT(*), SUM(n) / 2 FROM t GROUP BY a HAVING MAX(f) > 3",
        "SELECT DISTINCT a FROM t, u WHERE a = w",
        "SELECT CASE WHEN a BETWEEN 1 AND 5 THEN NULLIF(b, 0) ELSE COALESCE(s, 7) END AS e FROM t",
        "SELECT - CAST(NULL AS INTEGER) * 3",
        "SELECT a AS x, n + 1 AS x, a AS x0 FROM t",
        "SELECT DISTINCT a + 1, COUNT(*) FROM w GROUP BY a",
        "SELECT DISTINCT a FROM w",
        "SELECT DISTINCT id FROM t",
        "SELECT COUNT(*), COUNT(b) FROM w",
        "SELECT COUNT(*), SUM(a), COUNT(b + 1) FROM w",
        "SELECT DISTINCT COUNT(*) AS n, COUNT(*) + 1 AS m",
        "SELECT COUNT(5), SUM(7)",
        "SELECT DISTINCT 5 AS five, 6 + 7 AS more",
        "SELECT a, id FROM t GROUP BY id, a",
        "SELECT 5 AS five, 'x' AS x",
        "SELECT a FROM t JOIN u ON a = w",
        "SELECT x.a FROM t x JOIN u ON a = u.w JOIN u y ON y.w = u.w AND y.uid > ? WHERE v = ?",
        "SELECT a FROM t WHERE v = 'x' AND c = 'abcd'",
        "SELECT a FROM t WHERE a = ? AND ? <= n AND v = ? AND c < ?",
        "SELECT a FROM t WHERE a BETWEEN ? AND ? AND n IN (?, ?)",
      })
  void shouldUseFastPath(String sql) {
    ConvertedStatement plain = plain(sql, true);
    assertNotNull(plain);
    assertNull(RelDifference.of(plain, any(sql, true)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT none FROM t",
        "SELECT a FROM none",
        "SELECT t.a FROM t x",
        "SELECT a FROM t x, t y",
        "SELECT a, COUNT(*) FROM t GROUP BY b",
        "SELECT a FROM t WHERE a",
        "SELECT a + v FROM t",
        "SELECT a FROM t WHERE c = 'x'",
        "SELECT a FROM t WHERE v = c",
        "SELECT SUM(COUNT(*)) FROM t",
        "SELECT * FROM seen",
        "SELECT a FROM t WHERE ? = ?",
        "SELECT ? FROM t",
        "SELECT a FROM t WHERE a + ? = 5",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)",
        "SELECT a FROM t ORDER BY b",
        "SELECT a FROM t ORDER BY 2",
        "SELECT a AS x, b AS x FROM t ORDER BY x",
        "SELECT a + 1, a + 1 FROM t",
        "SELECT COUNT(*) AS a, COUNT(b) AS a FROM t HAVING MAX(a) > 1",
        "SELECT a FROM t LIMIT 1",
        "SELECT UPPER(v) FROM t",
        "SELECT COALESCE()",
        "SELECT NULLIF(1)",
        "SELECT COUNT()",
        "SELECT NEXT VALUE FOR sq",
        "SELECT CURRENT VALUE FOR sq FROM t",
        "SELECT DISTINCT ON (a) a, b FROM t",
        "SELECT a FROM t ORDER BY a FETCH FIRST 1 ROW WITH TIES",
        "SELECT a FROM t LEFT JOIN u ON a = w",
        "SELECT a FROM t JOIN u USING (id)",
        "SELECT a FROM t x JOIN u ON x.a = y.w JOIN u y ON y.w = 1",
        "SELECT a FROM t UNION SELECT w FROM u",
        "SELECT NULL",
        "DELETE FROM t",
      })
  void shouldFallBackToFullPath(String sql) {
    assertNull(plain(sql, false));
  }

  /**
   * The fast path leaves the syntax tree unchanged, because the full path may plan the query
   * afterwards.
   */
  @Test
  void shouldNotModifySyntaxTree() {
    PlainSql queries = new PlainSql(7);
    for (int i = 0; i < QUERIES / 10; i++) {
      SqlNode statement = PlainCatalog.parsed(queries.query(), true);
      String before = statement.toString();
      parts(statement).convertPlain(statement);
      assertEquals(before, statement.toString());
    }
  }
}
