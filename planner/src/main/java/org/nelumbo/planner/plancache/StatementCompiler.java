package org.nelumbo.planner.plancache;

import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.ExplainAnalyze;
import org.nelumbo.parser.ast.StatementKind;
import org.nelumbo.parser.ast.StatementKind.Category;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.frontend.SqlErrors;
import org.nelumbo.planner.physical.PhysicalPlan;
import org.nelumbo.planner.physical.StatementPlanner;

/** Parses and plans the text of a statement for one version of the catalogue. Thread-safe. */
public final class StatementCompiler {
  private final StatementPlanner planner;

  public StatementCompiler(StatementPlanner planner) {
    this.planner = planner;
  }

  /** The syntax tree of a text; a new one each time, since validation changes trees. */
  public static SqlNode parse(String sql) {
    try {
      return SqlParsing.parseStatement(sql);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      throw SqlErrors.map(e);
    }
  }

  /** What is to be run for a text: a plan, or the command as it stands. */
  CachedStatement compile(String sql, String schema, Isolation isolation, CatalogState state) {
    SqlNode statement = parse(sql);
    StatementKind kind = StatementKind.of(statement);
    if (kind == StatementKind.DESCRIBE || kind == StatementKind.CALL) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          kind.title() + " is not supported; look into SYS.TABLES, SYS.COLUMNS and SYS.INDEXES");
    }
    SqlNode planned =
        switch (kind.category()) {
          case QUERY, UPDATE -> statement;
          case EXPLAIN -> explained(statement);
          case DDL, TRANSACTION, SESSION -> null;
        };
    if (planned == null) {
      return CachedStatement.ofCommand(sql, kind, state.version(), statement);
    }
    PhysicalPlan plan = planner.plan(planned, state, schema, isolation);
    return CachedStatement.ofPlan(sql, kind, state.version(), isolation, plan);
  }

  /** The statement whose plan EXPLAIN and EXPLAIN ANALYZE show. */
  private static SqlNode explained(SqlNode statement) {
    SqlNode explained =
        statement instanceof ExplainAnalyze analyze
            ? analyze.statement()
            : ((SqlExplain) statement).getExplicandum();
    StatementKind kind = StatementKind.of(explained);
    boolean hasPlan = kind.category() == Category.QUERY && kind != StatementKind.DESCRIBE;
    if (!hasPlan && !kind.changesRows()) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT, kind.title() + " has no plan to be explained");
    }
    return explained;
  }
}
