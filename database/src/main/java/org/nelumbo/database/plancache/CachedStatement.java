package org.nelumbo.database.plancache;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.FrameLayout;
import org.nelumbo.executor.expr.LiteralValues;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.parser.LiteralTokens;
import org.nelumbo.parser.ast.ExplainOptions;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.frontend.PlanTimes;
import org.nelumbo.planner.literal.LiteralPositions;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.session.PreparedStatementPlan;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.StatementKind;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;
import org.nelumbo.types.ParameterSet;

/**
 * A statement in the plan cache: a plan, or the syntax tree of a command. Thread-safe. Immutable
 * except for the catalog version for which it is valid: after changes of table sizes that lead to
 * an equal plan, the statement stays.
 */
public final class CachedStatement implements PreparedStatementPlan {
  private static final List<ResultColumn> EXPLAIN_COLUMNS =
      List.of(ResultColumn.ofExpression("PLAN", ColumnType.of(Kind.VARCHAR)));

  private final String sql;
  private final StatementKind kind;
  private volatile long version;
  private final Isolation isolation;
  private final List<ColumnType> parameterTypes;

  /** Temporary tables of the session that planned it; null for none, or for a command. */
  private final TemporarySchema temporary;

  private final PhysicalPlan physical;
  private final SqlNode command;

  /** The syntax tree of a schema change until its first run; empty afterwards. */
  private final AtomicReference<SqlNode> unused;

  private final TableEntry[] tables;

  /** The statement that provides the plan; itself unless its literals are parameterized. */
  private final CachedStatement shared;

  private final LiteralPositions places;

  private final ExplainOptions explainOptions;

  /**
   * Values of the parameterized literals; null if there are none, or if this is the shared
   * statement.
   */
  private final ParameterSet literals;

  private final PlanTimes times;

  /** Null if another statement provides the plan. */
  private volatile PlanTotal planTotal;

  private final AtomicBoolean isUsed;

  /**
   * Compilations of a statement.
   *
   * @param compilations number of compilations, replans included
   * @param nanos their total duration
   */
  public record PlanTotal(long compilations, long nanos) {
    PlanTotal plus(PlanTotal other) {
      return new PlanTotal(compilations + other.compilations, nanos + other.nanos);
    }
  }

  private CachedStatement(
      String sql,
      StatementKind kind,
      CatalogState state,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      PhysicalPlan physical,
      SqlNode command,
      TableEntry[] tables,
      LiteralPositions places,
      ExplainOptions explainOptions,
      PlanTimes times) {
    times.end();
    this.sql = sql;
    this.kind = kind;
    this.version = state.version();
    this.temporary = physical == null ? null : state.temporary();
    this.isolation = isolation;
    this.parameterTypes = parameterTypes;
    this.physical = physical;
    this.command = kind.changesCatalog() ? null : command;
    this.unused = kind.changesCatalog() ? new AtomicReference<>(command) : null;
    this.tables = tables;
    this.shared = this;
    this.places = places;
    this.explainOptions = explainOptions;
    this.literals = null;
    this.times = times;
    this.isUsed = new AtomicBoolean();
    this.planTotal = new PlanTotal(1, times.total());
  }

  private CachedStatement(String sql, CachedStatement shared, ParameterSet literals) {
    this.sql = sql;
    this.kind = shared.kind;
    this.isolation = shared.isolation;
    this.temporary = shared.temporary;
    this.parameterTypes = List.of();
    this.physical = shared.physical;
    this.command = null;
    this.unused = null;
    this.tables = shared.tables;
    this.shared = shared;
    this.places = shared.places;
    this.explainOptions = null;
    this.literals = literals;
    this.times = shared.times;
    this.isUsed = shared.isUsed;
  }

  /**
   * Creates a query, a change of rows, or an EXPLAIN of one of these.
   *
   * @param explainOptions format of the plan in EXPLAIN; null for other statements
   */
  static CachedStatement ofPlan(
      String sql,
      StatementKind kind,
      CatalogState state,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      PhysicalPlan plan,
      ExplainOptions explainOptions,
      PlanTimes times) {
    TableEntry[] tables = plan.tables().toArray(TableEntry[]::new);
    return new CachedStatement(
        sql,
        kind,
        state,
        isolation,
        parameterTypes,
        plan,
        null,
        tables,
        null,
        explainOptions,
        times);
  }

  /**
   * Creates the statement that texts with different literals share.
   *
   * @param sql one of the texts
   */
  static CachedStatement ofShape(
      String sql,
      StatementKind kind,
      CatalogState state,
      Isolation isolation,
      PhysicalPlan plan,
      LiteralPositions places,
      PlanTimes times) {
    TableEntry[] tables = plan.tables().toArray(TableEntry[]::new);
    return new CachedStatement(
        sql, kind, state, isolation, List.of(), plan, null, tables, places, null, times);
  }

  /** Creates any other statement. */
  static CachedStatement ofCommand(
      String sql, StatementKind kind, CatalogState state, SqlNode command, PlanTimes times) {
    return new CachedStatement(
        sql, kind, state, null, List.of(), null, command, new TableEntry[0], null, null, times);
  }

  /**
   * Returns the text; in a statement that is shared by several texts, with ? for the literals in
   * which they differ.
   */
  public String shownText() {
    return places == null || literals != null
        ? sql
        : places.text(LiteralTokens.of(sql, PlanCache.MOST_LITERALS));
  }

  /** Returns the locations of the parameterized literals, or null if there are none. */
  LiteralPositions places() {
    return places;
  }

  /**
   * Returns a statement for a text that shares the plan, or null if one of its literals does not
   * match the plan.
   */
  CachedStatement ofText(String text, LiteralTokens tokens) {
    FrameLayout layout = physical.plan().frameLayout();
    List<Expression> values = places.values(tokens, layout.parameterTypes());
    ParameterSet set = values == null ? null : LiteralValues.of(layout, values);
    return set == null ? null : new CachedStatement(text, this, set);
  }

  /** Returns the cached statement whose plan runs this one. */
  public CachedStatement shared() {
    return shared;
  }

  /** Returns the values of the parameterized literals, or null if there are none. */
  public ParameterSet literals() {
    return literals;
  }

  @Override
  public String sql() {
    return sql;
  }

  @Override
  public StatementKind kind() {
    return kind;
  }

  /** Returns the isolation level of the transactions that may run it; null for commands. */
  Isolation isolation() {
    return isolation;
  }

  /** Returns the parameter types that were required by values; see {@link ParameterInfo#open}. */
  public List<ColumnType> parameterTypes() {
    return parameterTypes;
  }

  /**
   * Returns the plan of a query, of a change or of an EXPLAIN of these; null for other statements.
   */
  public PhysicalPlan physical() {
    return physical;
  }

  /**
   * Returns the syntax tree of a command; null for schema changes, and for statements with a plan.
   */
  public SqlNode command() {
    return command;
  }

  /**
   * Returns the syntax tree of a schema change; a new one each time, because validation changes
   * trees.
   */
  public SqlNode schemaChange() {
    SqlNode first = unused.getAndSet(null);
    return first == null ? StatementCompiler.parse(sql) : first;
  }

  /** Returns true for EXPLAIN ANALYZE, which runs the plan. */
  public boolean analyze() {
    return kind == StatementKind.EXPLAIN_ANALYZE;
  }

  /** Returns the format of the plan in EXPLAIN; null for other statements. */
  public ExplainOptions explainOptions() {
    return explainOptions;
  }

  /** Returns the durations of the stages of the compilation. */
  public PlanTimes times() {
    return times;
  }

  /**
   * Marks the plan as used, and returns true if it was used before, so that this use takes it from
   * a cache.
   */
  public boolean markUsed() {
    return isUsed.getAndSet(true);
  }

  /** Returns the number of compilations of the statement while it is cached, and their duration. */
  public PlanTotal planTotal() {
    return shared.planTotal;
  }

  /** Adds the compilations of another plan of the same text; called by one thread at a time. */
  void addCompilations(CachedStatement other) {
    planTotal = planTotal.plus(other.planTotal);
  }

  /** Returns the tables that the plan reads or writes. */
  public TableEntry[] tables() {
    return tables;
  }

  /**
   * Returns true if the statement is valid for a catalog version, which is at most the next one.
   */
  public boolean isGoodFor(long catalogVersion) {
    return shared.version >= catalogVersion;
  }

  /**
   * Returns true if the statement is valid for a session with these temporary tables; null for
   * none.
   */
  boolean isSeenWith(TemporarySchema sessions) {
    return physical == null || Objects.equals(temporary, sessions);
  }

  /** Extends the validity of the plan to a later version of the catalog. */
  void confirm(long catalogVersion) {
    version = catalogVersion;
  }

  /** Returns true if the statement reads or changes one of these tables. */
  boolean touches(Set<TableEntry> some) {
    for (TableEntry table : tables) {
      if (some.contains(table)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if both statements have equal plans. */
  boolean isLike(CachedStatement other) {
    return kind == other.kind
        && Arrays.equals(tables, other.tables)
        && physical.plan().explain().equals(other.physical.plan().explain());
  }

  @Override
  public List<ResultColumn> columns() {
    return switch (kind.category()) {
      case QUERY, RETURNING -> physical.columns();
      case EXPLAIN -> EXPLAIN_COLUMNS;
      default -> List.of();
    };
  }

  @Override
  public List<ParameterInfo> parameters() {
    return physical == null || literals != null ? List.of() : physical.parameters();
  }

  /** Returns true if the statement changes rows and returns them. */
  public boolean returnsChanges() {
    return kind.category() == StatementKind.Category.RETURNING;
  }

  public boolean isInsert() {
    return kind.changesRows() && physical.plan().commandType() == Plan.CommandType.INSERT;
  }

  @Override
  public List<ResultColumn> generatedKeyColumns() {
    return isInsert() ? physical.columns() : List.of();
  }

  @Override
  public int[] primaryKeyColumns() {
    boolean visible = isInsert() && physical.target().definition().hiddenColumn() < 0;
    return visible ? physical.target().schema().primaryKey() : new int[0];
  }

  /** Returns true if the statement only reads one row by its key, without a lock. */
  public boolean readsOnce() {
    return physical != null && physical.plan().readsOnce();
  }

  /** Returns true if the statement changes no data; it may lock rows (FOR UPDATE). */
  public boolean readOnly() {
    return physical != null && physical.plan().readOnly();
  }
}
