package org.nelumbo.database.plancache;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
import org.nelumbo.planner.literal.LiteralPlaces;
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
 * A statement in the plan cache: a plan, or a command to be carried out as it stands. Immutable but
 * for the catalogue version it is good for: where tables have another size and the same plan is
 * still the best, the statement stays. Thread-safe.
 */
public final class CachedStatement implements PreparedStatementPlan {
  private static final List<ResultColumn> EXPLAIN_COLUMNS =
      List.of(ResultColumn.ofExpression("PLAN", ColumnType.of(Kind.VARCHAR)));

  private final String sql;
  private final StatementKind kind;
  private volatile long version;
  private final Isolation isolation;
  private final List<ColumnType> parameterTypes;

  /** The temporary tables of the session that it is of; null if it has none, or of a command. */
  private final TemporarySchema temporary;

  private final PhysicalPlan physical;
  private final SqlNode command;
  private final TableEntry[] tables;

  /** What it shares its plan with; itself if it has no literals lifted. */
  private final CachedStatement shared;

  /** Which of its literals are parameters of the plan; null if none are. */
  private final LiteralPlaces places;

  /** How EXPLAIN shows the plan; null of other statements. */
  private final ExplainOptions explainOptions;

  /** The values of these literals; null if there are none, or it stands for many texts. */
  private final ParameterSet literals;

  private CachedStatement(
      String sql,
      StatementKind kind,
      CatalogState state,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      PhysicalPlan physical,
      SqlNode command,
      TableEntry[] tables,
      LiteralPlaces places,
      ExplainOptions explainOptions) {
    this.sql = sql;
    this.kind = kind;
    this.version = state.version();
    this.temporary = command == null ? state.temporary() : null;
    this.isolation = isolation;
    this.parameterTypes = parameterTypes;
    this.physical = physical;
    this.command = command;
    this.tables = tables;
    this.shared = this;
    this.places = places;
    this.explainOptions = explainOptions;
    this.literals = null;
  }

  private CachedStatement(String sql, CachedStatement shared, ParameterSet literals) {
    this.sql = sql;
    this.kind = shared.kind;
    this.isolation = shared.isolation;
    this.temporary = shared.temporary;
    this.parameterTypes = List.of();
    this.physical = shared.physical;
    this.command = null;
    this.tables = shared.tables;
    this.shared = shared;
    this.places = shared.places;
    this.explainOptions = null;
    this.literals = literals;
  }

  /**
   * A query, a change of rows, or EXPLAIN of one of these.
   *
   * @param explainOptions how EXPLAIN shows the plan; null of other statements
   */
  static CachedStatement ofPlan(
      String sql,
      StatementKind kind,
      CatalogState state,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      PhysicalPlan plan,
      ExplainOptions explainOptions) {
    TableEntry[] tables = plan.tables().toArray(TableEntry[]::new);
    return new CachedStatement(
        sql, kind, state, isolation, parameterTypes, plan, null, tables, null, explainOptions);
  }

  /**
   * What texts share that differ in literals.
   *
   * @param sql one of the texts
   */
  static CachedStatement ofShape(
      String sql,
      StatementKind kind,
      CatalogState state,
      Isolation isolation,
      PhysicalPlan plan,
      LiteralPlaces places) {
    TableEntry[] tables = plan.tables().toArray(TableEntry[]::new);
    return new CachedStatement(
        sql, kind, state, isolation, List.of(), plan, null, tables, places, null);
  }

  /** Any other statement. */
  static CachedStatement ofCommand(
      String sql, StatementKind kind, CatalogState state, SqlNode command) {
    return new CachedStatement(
        sql, kind, state, null, List.of(), null, command, new TableEntry[0], null, null);
  }

  /** Its text; of one that stands for many with ? where these differ. */
  public String shownText() {
    return places == null || literals != null
        ? sql
        : places.text(LiteralTokens.of(sql, PlanCache.MOST_LITERALS));
  }

  /** Which literals are parameters of the plan; null if none are. */
  LiteralPlaces places() {
    return places;
  }

  /** A text that shares the plan; null if one of its literals is not what the plan needs. */
  CachedStatement ofText(String text, LiteralTokens tokens) {
    FrameLayout layout = physical.plan().frameLayout();
    List<Expression> values = places.values(tokens, layout.parameterTypes());
    ParameterSet set = values == null ? null : LiteralValues.of(layout, values);
    return set == null ? null : new CachedStatement(text, this, set);
  }

  /** The statement in the cache with whose plan this one is run. */
  public CachedStatement shared() {
    return shared;
  }

  /** The values of the literals that its plan takes as parameters; null if there are none. */
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

  /** The isolation of the transactions it may run in; null for commands. */
  Isolation isolation() {
    return isolation;
  }

  /** Types that values of parameters had to be planned for; see {@link ParameterInfo#open}. */
  public List<ColumnType> parameterTypes() {
    return parameterTypes;
  }

  /** The plan of a query, a change or an EXPLAIN of these; else null. */
  public PhysicalPlan physical() {
    return physical;
  }

  /** The syntax tree of a command; null for what has a plan. */
  public SqlNode command() {
    return command;
  }

  /** Whether it is EXPLAIN ANALYZE, which runs the plan. */
  public boolean analyze() {
    return kind == StatementKind.EXPLAIN_ANALYZE;
  }

  /** How EXPLAIN shows the plan; null of other statements. */
  public ExplainOptions explainOptions() {
    return explainOptions;
  }

  /** The tables that the plan reads or writes. */
  public TableEntry[] tables() {
    return tables;
  }

  /** Whether it is good for a version of the catalogue, not later than the next one. */
  public boolean isGoodFor(long catalogVersion) {
    return shared.version >= catalogVersion;
  }

  /** Whether it is good for a session with such temporary tables; null: with none. */
  boolean isSeenWith(TemporarySchema sessions) {
    return command != null || Objects.equals(temporary, sessions);
  }

  /** Confirms that the plan is good for a later version of the catalogue, too. */
  void confirm(long catalogVersion) {
    version = catalogVersion;
  }

  /** Whether it reads or changes one of these tables. */
  boolean touches(Set<TableEntry> some) {
    for (TableEntry table : tables) {
      if (some.contains(table)) {
        return true;
      }
    }
    return false;
  }

  /** Whether both do the same in the same way. */
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

  /** Whether it changes rows and returns them. */
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

  /** Returns true if the statement changes no data; it may lock rows (FOR UPDATE). */
  public boolean readOnly() {
    return physical != null && physical.plan().readOnly();
  }
}
