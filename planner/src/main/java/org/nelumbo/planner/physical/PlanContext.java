package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.FrameLayout;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.planner.ParameterInfo;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;

/** The context that the parts of the planner share while one statement is planned. */
final class PlanContext {
  private final SqlFrontEnd frontEnd;
  private final CatalogState state;
  private final String schema;
  private final Isolation isolation;
  private final FrameLayout shape = new FrameLayout();
  private final Map<CorrelationId, List<Expression>> correlated = new HashMap<>();
  private final Set<TableEntry> tables = new LinkedHashSet<>();
  private final Set<RelNode> lockedScans = new HashSet<>();
  private final Set<RelNode> changedScans = new HashSet<>();
  private final Map<RelNode, Integer> rowsOfScans = new HashMap<>();
  private boolean usesWriteLocks;
  private TableEntry insertTarget;

  PlanContext(
      SqlFrontEnd frontEnd,
      CatalogState state,
      String schema,
      Isolation isolation,
      List<ParameterInfo> parameters) {
    this.frontEnd = frontEnd;
    this.state = state;
    this.schema = schema;
    this.isolation = isolation;
    parameters.forEach(parameter -> shape.addParameter(parameter.type()));
  }

  SqlFrontEnd frontEnd() {
    return frontEnd;
  }

  CatalogState state() {
    return state;
  }

  String schema() {
    return schema;
  }

  Isolation isolation() {
    return isolation;
  }

  FrameLayout shape() {
    return shape;
  }

  /** Columns of the outer rows that a correlated subquery refers to. */
  Map<CorrelationId, List<Expression>> correlated() {
    return correlated;
  }

  /** Notes that the statement uses a table. */
  void use(TableEntry table) {
    tables.add(table);
  }

  List<TableEntry> tables() {
    return new ArrayList<>(tables);
  }

  /** Rows of this scan are to be locked for writing. */
  void lock(RelNode scan) {
    lockedScans.add(scan);
  }

  /** Rows of this scan are to be locked for writing by whoever reads or, later, changes them. */
  void lockForChange(RelNode scan) {
    lock(scan);
    changedScans.add(scan);
  }

  /** Whether rows of this scan are locked for writing when they are changed, if not before. */
  boolean isChanged(RelNode scan) {
    return changedScans.contains(scan);
  }

  int lockMode(RelNode scan) {
    if (lockedScans.contains(scan)) {
      usesWriteLocks = true;
      return LockTable.WRITE;
    }
    return LockTable.READ;
  }

  boolean usesWriteLocks() {
    return usesWriteLocks;
  }

  /** Notes where in the frame the rows of a scan stand. */
  void placed(RelNode scan, int row) {
    rowsOfScans.put(scan, row);
  }

  /** Where the rows of a scan stand; a place of its own for one that is never read. */
  int rowOf(RelNode scan) {
    return rowsOfScans.computeIfAbsent(scan, unread -> shape.addRow());
  }

  /** The table whose identity column NEXT_IDENTITY means. */
  TableEntry insertTarget() {
    return insertTarget;
  }

  void setInsertTarget(TableEntry target) {
    insertTarget = target;
  }
}
