package org.nelumbo.planner.plain;

import java.util.List;
import org.apache.calcite.sql.SqlNode;
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
import org.nelumbo.planner.frontend.PlanTimes;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.literal.LiteralParameterization;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.planner.validate.GivenTypes;

/** A catalog with the tables of {@link PlainSql}, and the parts of statements on them. */
public final class PlainCatalog implements AutoCloseable {
  private static final long MINUTE = 60_000_000_000L;

  private static final String COLUMNS =
      " a INTEGER, b BIGINT NOT NULL, s SMALLINT, n DECIMAL(10, 2), m NUMERIC, f DOUBLE, r REAL,"
          + " v VARCHAR(10), c CHAR(4))";

  private final Engine engine;
  private final Catalog catalog;
  private final SchemaChanges changes;

  /**
   * Creates the tables t, u and w.
   *
   * @param others further schema changes
   */
  public PlainCatalog(String... others) {
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
    change("CREATE TABLE t (id INTEGER PRIMARY KEY," + COLUMNS);
    change("CREATE TABLE u (uid INTEGER PRIMARY KEY, w INTEGER)");
    change("CREATE TABLE w (id INTEGER," + COLUMNS);
    for (String sql : others) {
      change(sql);
    }
  }

  private void change(String sql) {
    changes.run(
        SqlParsing.parseStatement(sql),
        CatalogState.PUBLIC,
        null,
        MINUTE,
        new CancellationToken(engine.environment()));
  }

  public CatalogState state() {
    return catalog.state();
  }

  /** Returns the syntax tree of a statement, with parameterized literals if requested. */
  public static SqlNode parsed(String sql, boolean isParameterized) {
    SqlNode statement = SqlParsing.parseStatement(sql);
    LiteralTokens literals = isParameterized ? LiteralTokens.of(sql, 256) : null;
    if (literals != null) {
      LiteralParameterization.lift(statement, literals);
    }
    return statement;
  }

  public SqlFrontEnd.StatementParts parts(SqlFrontEnd frontEnd, SqlNode statement) {
    return frontEnd.parts(
        statement,
        catalog.state(),
        CatalogState.PUBLIC,
        GivenTypes.NONE,
        new StatementLimits(),
        PlanTimes.unmeasured());
  }

  @Override
  public void close() {
    changes.close();
    catalog.close();
    engine.close();
  }
}
