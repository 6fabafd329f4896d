package org.nelumbo.planner.physical;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.apache.calcite.sql.SqlNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.frontend.PlanTimes;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.planner.plain.PlainCatalog;
import org.nelumbo.planner.plain.PlainSql;
import org.nelumbo.planner.validate.GivenTypes;
import org.nelumbo.session.Isolation;

/**
 * Proves that a query of one table has the same plan with and without a relational tree. {@code
 * -Dnelumbo.test.jvm=-Dnelumbo.plain.queries=1000000} makes a longer run, {@code -Dnelumbo.seed}
 * sets another seed.
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
      boolean isParameterized = i % 2 == 0;
      SqlNode statement = PlainCatalog.parsed(sql, isParameterized);
      if (parts(statement).convertTable(statement) != null) {
        withoutTree++;
        PhysicalPlan direct =
            planner.plan(statement, catalog.state(), CatalogState.PUBLIC, Isolation.SERIALIZABLE);
        SqlNode again = PlainCatalog.parsed(sql, isParameterized);
        ConvertedStatement converted = parts(again).convertAny(again);
        PhysicalPlan byTree = planner.query(converted, setting());
        String where = "seed " + seed + ": " + sql;
        assertEquals(byTree.plan().explain(), direct.plan().explain(), where);
        assertEquals(byTree.columns(), direct.columns(), where);
        assertEquals(byTree.parameters(), direct.parameters(), where);
        assertEquals(byTree.usesValues(), direct.usesValues(), where);
        assertEquals(byTree.tables(), direct.tables(), where);
      }
    }
    assertTrue(withoutTree > QUERIES / 20, withoutTree + " queries needed no tree");
  }
}
