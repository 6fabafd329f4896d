package org.nelumbo.planner.physical;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.frontend.PlanTimes;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.planner.plain.PlainCatalog;
import org.nelumbo.planner.plain.PlainSql;
import org.nelumbo.planner.validate.GivenTypes;
import org.nelumbo.session.Isolation;

/**
 * Compares the plans of random queries with and without a relational tree; they must be equal.
 * {@code -Dnelumbo.test.jvm=-Dnelumbo.plain.queries=1000000} makes a longer run, {@code
 * -Dnelumbo.seed} sets another seed.
 */
class TableQueryPlannerTest {
  private static final int QUERIES = Integer.getInteger("nelumbo.plain.queries", 2_000);

  private static PlainCatalog catalog;

  private final StatementPlanner planner = new StatementPlanner();

  @BeforeAll
  static void open() {
    catalog = new PlainCatalog("CREATE INDEX ta ON t (a, b)", "CREATE INDEX tn ON t (n)");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  private static StatementPlanner.Setting setting() {
    return new StatementPlanner.Setting(
        catalog.state(),
        CatalogState.PUBLIC,
        Isolation.SERIALIZABLE,
        GivenTypes.NONE,
        new StatementLimits(),
        PlanTimes.unmeasured());
  }

  private SqlFrontEnd.StatementParts parts(SqlNode statement) {
    return catalog.parts(planner.frontEnd(), statement);
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.DAYS)
  void shouldPlanAsByRelationalTree() {
    long seed = Long.getLong("nelumbo.seed", 20_261_130);
    PlainSql queries = new PlainSql(seed);
    int withoutTree = 0;
    for (int i = 0; i < QUERIES; i++) {
      String sql = queries.query();
      try {
        withoutTree += isPlannedAsByTree(sql, i % 2 == 0) ? 1 : 0;
      } catch (AssertionError | NelumboException e) {
        throw new AssertionError("seed " + seed + ": " + sql, e);
      }
    }
    assertTrue(withoutTree > QUERIES / 4, withoutTree + " queries needed no tree");
  }

  /** Returns false if the query needs a tree; fails if the plans with and without it differ. */
  private boolean isPlannedAsByTree(String sql, boolean isParameterized) {
    SqlNode statement = PlainCatalog.parsed(sql, isParameterized);
    if (parts(statement).convertPlain(statement) == null) {
      return false;
    }
    PhysicalPlan direct =
        planner.plan(statement, catalog.state(), CatalogState.PUBLIC, Isolation.SERIALIZABLE);
    SqlNode again = PlainCatalog.parsed(sql, isParameterized);
    PhysicalPlan byTree = planner.query(parts(again).convert(again), setting());
    assertEquals(byTree.plan().explain(), direct.plan().explain());
    assertEquals(byTree.columns(), direct.columns());
    assertEquals(byTree.parameters(), direct.parameters());
    assertEquals(byTree.usesValues(), direct.usesValues());
    assertEquals(byTree.tables(), direct.tables());
    return true;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t",
        "SELECT a, n FROM t WHERE id = 5",
        "SELECT a FROM t LIMIT 1",
        "SELECT a, n FROM t, u WHERE a = w ORDER BY a LIMIT 10 OFFSET 5",
        "SELECT v FROM t x WHERE x.a > 1 AND n <= 2.5 OR NOT f IN (1, 2) ORDER BY 1 DESC",
        "SELECT a + 1 AS b1, COUNT(*), SUM(n) / 2 FROM t GROUP BY a HAVING MAX(f) > 3",
        "SELECT DISTINCT w.a FROM w, u WHERE w.a = u.w",
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
        "SELECT a, id, COUNT(*) FROM t GROUP BY id, a",
        "SELECT 5 AS five, 'x' AS x",
        "SELECT a FROM t JOIN u ON a = w",
        "SELECT x.a FROM t x JOIN u ON a = u.w JOIN u y ON y.w = u.w AND y.uid > ? WHERE v = ?",
        "SELECT a FROM t WHERE v = 'x' AND c = 'abcd'",
        "SELECT a FROM t WHERE a = ? AND ? <= n AND v = ? AND c < ?",
        "SELECT a FROM t WHERE a BETWEEN ? AND ? AND n IN (?, ?)",
      })
  void shouldPlanWithoutTree(String sql) {
    assertTrue(isPlannedAsByTree(sql, true));
  }
}
