package org.nelumbo.planner.session;

import java.util.List;
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
 * A statement in the plan cache: a plan, or a command to be carried out as it stands. Immutable;
 * equal only to itself.
 *
 * @param version of the catalogue it was planned for
 * @param isolation of the transactions it may run in; null for commands
 * @param physical for queries, changes and EXPLAIN of these; else null
 * @param command for all other statements; else null
 * @param analyze whether it is EXPLAIN ANALYZE
 */
record Compiled(
    String sql,
    StatementKind kind,
    long version,
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
        version,
        isolation,
        plan,
        null,
        analyze,
        plan.tables().toArray(TableEntry[]::new));
  }

  static Compiled ofCommand(String sql, StatementKind kind, long version, SqlNode command) {
    return new Compiled(sql, kind, version, null, null, command, false, new TableEntry[0]);
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
