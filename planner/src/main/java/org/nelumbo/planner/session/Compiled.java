package org.nelumbo.planner.session;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.planner.ParameterInfo;
import org.nelumbo.planner.PreparedStatementPlan;
import org.nelumbo.planner.ResultColumn;
import org.nelumbo.planner.StatementKind;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.physical.PhysicalPlan;

/**
 * A statement in the plan cache: a plan, or a command to be carried out as it stands. Equal only to
 * itself. Immutable, but for the version: where tables have another size and the same plan is best,
 * it stays.
 *
 * @param version of the catalogue it is planned for
 * @param isolation of the transactions it may run in; null for commands
 * @param physical for queries, changes and EXPLAIN of these; else null
 * @param command for all other statements; else null
 * @param analyze whether it is EXPLAIN ANALYZE
 */
record Compiled(
    String sql,
    StatementKind kind,
    AtomicLong version,
    Isolation isolation,
    PhysicalPlan physical,
    SqlNode command,
    boolean analyze,
    TableEntry[] tables)
    implements PreparedStatementPlan {
  private static final List<ResultColumn> EXPLAIN_COLUMNS =
      List.of(new ResultColumn("PLAN", "PLAN", "", "", ColumnType.of(Kind.VARCHAR), false));

  static Compiled ofPlan(
      String sql,
      StatementKind kind,
      long version,
      Isolation isolation,
      PhysicalPlan plan,
      boolean analyze) {
    return new Compiled(
        sql,
        kind,
        new AtomicLong(version),
        isolation,
        plan,
        null,
        analyze,
        plan.tables().toArray(TableEntry[]::new));
  }

  static Compiled ofCommand(String sql, StatementKind kind, long version, SqlNode command) {
    return new Compiled(
        sql, kind, new AtomicLong(version), null, null, command, false, new TableEntry[0]);
  }

  /** Whether it is good for a version of the catalogue, not later than the next one. */
  boolean isGoodFor(long catalogVersion) {
    return version.get() >= catalogVersion;
  }

  /** It is good for a version of the catalogue to come, too. */
  void confirm(long catalogVersion) {
    version.set(catalogVersion);
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
  boolean isLike(Compiled other) {
    return kind == other.kind
        && Arrays.equals(tables, other.tables)
        && physical.plan().explain().equals(other.physical.plan().explain());
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public List<ResultColumn> columns() {
    return switch (kind) {
      case QUERY -> physical.columns();
      case EXPLAIN -> EXPLAIN_COLUMNS;
      default -> List.of();
    };
  }

  @Override
  public List<ParameterInfo> parameters() {
    return physical == null ? List.of() : physical.parameters();
  }

  boolean isInsert() {
    return kind == StatementKind.UPDATE
        && physical.plan().kind() == org.nelumbo.executor.plan.Plan.Kind.INSERT;
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
