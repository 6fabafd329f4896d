package org.nelumbo.planner.physical;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.sql.SqlNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.check.Findings;
import org.nelumbo.database.ddl.SchemaChanges;
import org.nelumbo.dm.disk.Directories;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.parser.LiteralTokens;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.literal.LiteralParameterization;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.planner.plain.PlainSql;
import org.nelumbo.planner.validate.GivenTypes;
import org.nelumbo.session.Isolation;

/**
 * Proves that a query of one table has the same plan with and without a relational tree. {@code
 * -Dnelumbo.test.jvm=-Dnelumbo.plain.queries=1000000} makes a longer run, {@code -Dnelumbo.seed}
 * sets another seed.
 */
class TableQueryPlannerTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final int QUERIES = Integer.getInteger("nelumbo.plain.queries", 2_000);

  private static Engine engine;
  private static Catalog catalog;
  private static SchemaChanges changes;

  private final StatementPlanner planner = new StatementPlanner();

  @BeforeAll
  static void open() {
    engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(64L << 20));
    catalog = Catalog.create(engine);
    changes =
        new SchemaChanges(
            engine,
            catalog,
            new StatementPlanner(),
            List.of(),
            2,
            new Findings(),
            Directories.SYSTEM);
    String columns =
        " a INTEGER, b BIGINT NOT NULL, s SMALLINT, n DECIMAL(10, 2), m NUMERIC, f DOUBLE, r REAL,"
            + " v VARCHAR(10), c CHAR(4))";
    for (String sql :
        List.of(
            "CREATE TABLE t (id INTEGER PRIMARY KEY," + columns,
            "CREATE INDEX ta ON t (a, b)",
            "CREATE INDEX tn ON t (n)",
            "CREATE TABLE u (uid INTEGER PRIMARY KEY, w INTEGER)",
            "CREATE TABLE w (id INTEGER," + columns)) {
      changes.run(
          SqlParsing.parseStatement(sql),
          CatalogState.PUBLIC,
          null,
          MINUTE,
          new CancellationToken(engine.environment()));
    }
  }

  @AfterAll
  static void close() {
    changes.close();
    catalog.close();
    engine.close();
  }

  private static SqlNode parsed(String sql, boolean isParameterized) {
    SqlNode statement = SqlParsing.parseStatement(sql);
    LiteralTokens literals = isParameterized ? LiteralTokens.of(sql, 256) : null;
    if (literals != null) {
      LiteralParameterization.lift(statement, literals);
    }
    return statement;
  }

  private static StatementPlanner.Setting setting() {
    return new StatementPlanner.Setting(
        catalog.state(),
        CatalogState.PUBLIC,
        Isolation.SERIALIZABLE,
        GivenTypes.NONE,
        new StatementLimits());
  }

  private SqlFrontEnd.StatementParts parts(SqlNode statement) {
    return planner
        .frontEnd()
        .parts(
            statement,
            catalog.state(),
            CatalogState.PUBLIC,
            GivenTypes.NONE,
            new StatementLimits());
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
      SqlNode statement = parsed(sql, isParameterized);
      if (parts(statement).convertTable(statement) != null) {
        withoutTree++;
        PhysicalPlan direct =
            planner.plan(statement, catalog.state(), CatalogState.PUBLIC, Isolation.SERIALIZABLE);
        SqlNode again = parsed(sql, isParameterized);
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
