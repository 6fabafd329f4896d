package org.nelumbo.database.plancache;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlExplainFormat;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.dm.env.DeepStack;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.parser.LiteralTokens;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.Explain;
import org.nelumbo.parser.ast.ExplainOptions;
import org.nelumbo.parser.ast.Show;
import org.nelumbo.parser.ast.StatementKinds;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.frontend.PlanTimes;
import org.nelumbo.planner.frontend.ShowQueries;
import org.nelumbo.planner.literal.LiteralParameterization;
import org.nelumbo.planner.literal.LiteralPositions;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.planner.validate.GivenTypes;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.StatementKind;
import org.nelumbo.session.StatementKind.Category;
import org.nelumbo.types.ColumnType;

/** Parses and plans the text of a statement for one version of the catalog. Thread-safe. */
public final class StatementCompiler {
  /** Maximum length of a text that is planned on the normal stack without reserving memory. */
  private static final int SHORT_TEXT = 8 << 10;

  private static final int BYTES_PER_CHARACTER = 100;
  private static final int BYTES_PER_QUOTED = 12;

  /** Units of work for parsing one token. */
  private static final int READ_WORK = 4;

  private final StatementPlanner planner;
  private final LongSupplier clock;
  private final CompilationCounter counter = new CompilationCounter();

  /**
   * Creates a compiler.
   *
   * @param clock a monotonic clock in nanoseconds, for {@link PlanTimes}
   */
  public StatementCompiler(StatementPlanner planner, LongSupplier clock) {
    this.planner = planner;
    this.clock = clock;
  }

  /** Returns the number of compilations and the durations of their stages. */
  CompilationCounts counts() {
    return counter.counts();
  }

  /** Returns a new syntax tree of a text. */
  static SqlNode parse(String sql) {
    return DeepStack.call(() -> parse(sql, new StatementLimits()));
  }

  private static SqlNode parse(String sql, StatementLimits limits) {
    try {
      return SqlParsing.parseStatement(sql, () -> limits.work(READ_WORK));
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      throw SqlErrors.map(e);
    }
  }

  private static SqlNode parse(String sql, StatementLimits limits, PlanTimes times) {
    times.enter(PlanTimes.Stage.PARSE);
    return parse(sql, limits);
  }

  /**
   * Compiles a text to a plan or, if it is a command, to its syntax tree.
   *
   * @param literals literals of the text that may become parameters of the plan; null if they may
   *     not
   */
  CachedStatement compile(
      String sql,
      LiteralTokens literals,
      String schema,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      CatalogState state,
      StatementLimits limits) {
    PlanTimes times = new PlanTimes(clock);
    Supplier<CachedStatement> work =
        () -> compileHere(sql, literals, schema, isolation, parameterTypes, state, limits, times);
    try {
      return sql.length() <= SHORT_TEXT ? DeepStack.call(work) : compileLong(sql, work, limits);
    } finally {
      times.end();
      counter.add(times);
    }
  }

  private static CachedStatement compileLong(
      String sql, Supplier<CachedStatement> work, StatementLimits limits) {
    MemoryAccount account = limits.newAccount("planning a statement of that length");
    try {
      account.resize(planningBytes(sql));
      return DeepStack.callDeep(work);
    } finally {
      account.close();
    }
  }

  /** Literals need little memory, other text needs much. */
  private static long planningBytes(String sql) {
    long quoted = 0;
    boolean inside = false;
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      inside ^= c == '\'';
      quoted += inside ? 1 : 0;
    }
    return quoted * BYTES_PER_QUOTED + (sql.length() - quoted) * BYTES_PER_CHARACTER;
  }

  private CachedStatement compileHere(
      String sql,
      LiteralTokens literals,
      String schema,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      CatalogState state,
      StatementLimits limits,
      PlanTimes times) {
    SqlNode statement = parse(sql, limits, times);
    StatementKind kind = StatementKinds.of(statement);
    SqlNode planned = planned(statement, kind, state, schema);
    if (planned == null) {
      return CachedStatement.ofCommand(sql, kind, state, statement, times);
    }
    boolean suits =
        literals != null
            && kind.category() != Category.EXPLAIN
            && kind != StatementKind.SHOW
            && kind != StatementKind.DESCRIBE;
    LiteralPositions places = suits ? LiteralParameterization.lift(statement, literals) : null;
    if (places != null) {
      try {
        PhysicalPlan plan =
            planner.plan(statement, state, schema, isolation, GivenTypes.NONE, limits, times);
        if (kind == StatementKind.INSERT || !needsLiterals(plan)) {
          return CachedStatement.ofShape(sql, kind, state, isolation, plan, places, times);
        }
        planned = parse(sql, limits, times);
      } catch (NelumboException e) {
        if (e.code().endsTransaction()) {
          throw e;
        }
        planned = parse(sql, limits, times); // errors refer to the original text
      }
    }
    PhysicalPlan plan;
    try {
      GivenTypes given = new GivenTypes(parameterTypes, false);
      plan = planner.plan(planned, state, schema, isolation, given, limits, times);
    } catch (NelumboException e) {
      if (!mayComeOfGuess(sql, e.code())) {
        throw e;
      }
      SqlNode again = planned(parse(sql, limits, times), kind, state, schema);
      NelumboException failure = withGivenTypes(e, parameterTypes);
      plan = planUntyped(again, state, schema, isolation, parameterTypes, limits, times, failure);
    }
    return CachedStatement.ofPlan(
        sql, kind, state, isolation, parameterTypes, plan, options(statement), times);
  }

  private static SqlNode planned(
      SqlNode statement, StatementKind kind, CatalogState state, String schema) {
    return switch (kind.category()) {
      case QUERY -> query(statement, kind, state, schema);
      case UPDATE, RETURNING -> statement;
      case EXPLAIN -> explained(statement);
      case DDL, TRANSACTION, SESSION -> null;
    };
  }

  private static boolean mayComeOfGuess(String sql, ErrorCode code) {
    return sql.indexOf('?') >= 0
        && switch (code) {
          case TYPE_MISMATCH, INVALID_STATEMENT, UNSUPPORTED, INTERNAL -> true;
          default -> false;
        };
  }

  private static NelumboException withGivenTypes(NelumboException e, List<ColumnType> types) {
    StringBuilder given = new StringBuilder();
    for (int i = 0; i < types.size(); i++) {
      if (types.get(i) != null) {
        given.append(given.isEmpty() ? "" : ", ").append("parameter ").append(i + 1);
        given.append(" is ").append(types.get(i).sqlName());
      }
    }
    return given.isEmpty() || e.code() == ErrorCode.INTERNAL
        ? e
        : new NelumboException(
            e.code(),
            e.getMessage()
                + "; "
                + given
                + ", as the value that was set: set one of another type, or write CAST(? AS type)",
            e);
  }

  /**
   * Plans a statement in which a parameter without an inferred type is valid in every context,
   * until a value is set.
   *
   * @param failure thrown if this fails, too
   */
  private PhysicalPlan planUntyped(
      SqlNode planned,
      CatalogState state,
      String schema,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      StatementLimits limits,
      PlanTimes times,
      NelumboException failure) {
    try {
      GivenTypes given = new GivenTypes(parameterTypes, true);
      return planner.plan(planned, state, schema, isolation, given, limits, times);
    } catch (NelumboException e) {
      throw e.code().endsTransaction() ? e : failure;
    }
  }

  private static ExplainOptions options(SqlNode statement) {
    return switch (statement) {
      case Explain explain -> explain.options();
      case SqlExplain explain when explain.getFormat() == SqlExplainFormat.TEXT ->
          ExplainOptions.PLAN;
      case SqlExplain explain when explain.getFormat() == SqlExplainFormat.JSON ->
          ExplainOptions.JSON;
      case SqlExplain _ ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED, "EXPLAIN gives text or JSON; write EXPLAIN (FORMAT JSON)");
      default -> null;
    };
  }

  /**
   * Returns true if another plan may be better for other values: because of their selectivity, or
   * because an index is usable only if the values in its condition are known.
   */
  private static boolean needsLiterals(PhysicalPlan plan) {
    return plan.usesValues()
        || plan.tables().stream().anyMatch(table -> table.definition().hasIndexExpressions());
  }

  private static SqlNode query(
      SqlNode statement, StatementKind kind, CatalogState state, String schema) {
    return switch (kind) {
      case SHOW -> ShowQueries.of((Show) statement, state, schema);
      case DESCRIBE -> ShowQueries.describe(statement, state, schema);
      default -> statement;
    };
  }

  private static SqlNode explained(SqlNode statement) {
    SqlNode explained =
        statement instanceof Explain explain
            ? explain.statement()
            : ((SqlExplain) statement).getExplicandum();
    StatementKind kind = StatementKinds.of(explained);
    boolean hasPlan =
        kind.category() == Category.QUERY
            && kind != StatementKind.DESCRIBE
            && kind != StatementKind.SHOW;
    if (!hasPlan && !kind.changesRows() && kind.category() != Category.RETURNING) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT, kind.title() + " has no plan to explain");
    }
    return explained;
  }
}
