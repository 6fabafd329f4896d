package org.nelumbo.planner.plancache;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.parser.ast.StatementKind;
import org.nelumbo.planner.ParameterInfo;
import org.nelumbo.planner.PreparedStatementPlan;
import org.nelumbo.planner.ResultColumn;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.physical.PhysicalPlan;

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
  private final PhysicalPlan physical;
  private final SqlNode command;
  private final TableEntry[] tables;

  private CachedStatement(
      String sql,
      StatementKind kind,
      long version,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      PhysicalPlan physical,
      SqlNode command,
      TableEntry[] tables) {
    this.sql = sql;
    this.kind = kind;
    this.version = version;
    this.isolation = isolation;
    this.parameterTypes = parameterTypes;
    this.physical = physical;
    this.command = command;
    this.tables = tables;
  }

  /** A query, a change of rows, or EXPLAIN of one of these. */
  static CachedStatement ofPlan(
      String sql,
      StatementKind kind,
      long version,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      PhysicalPlan plan) {
    TableEntry[] tables = plan.tables().toArray(TableEntry[]::new);
    return new CachedStatement(sql, kind, version, isolation, parameterTypes, plan, null, tables);
  }

  /** Any other statement. */
  static CachedStatement ofCommand(String sql, StatementKind kind, long version, SqlNode command) {
    return new CachedStatement(
        sql, kind, version, null, List.of(), null, command, new TableEntry[0]);
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

  /** The tables that the plan reads or writes. */
  public TableEntry[] tables() {
    return tables;
  }

  /** Whether it is good for a version of the catalogue, not later than the next one. */
  public boolean isGoodFor(long catalogVersion) {
    return version >= catalogVersion;
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
    return physical == null ? List.of() : physical.parameters();
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

  @Override
  public boolean readOnly() {
    return physical != null && physical.plan().readOnly();
  }
}
