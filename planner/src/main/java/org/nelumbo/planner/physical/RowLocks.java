package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.op.access.SkipLocked;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;

/** Locks rows of a query where those that are locked are known: below its LIMIT. */
final class RowLocks {
  private final PlanContext context;
  private final List<TableScan> scans;
  private final int lockMode;

  /** Null if the query has no LIMIT. */
  private final Sort limit;

  /**
   * Locks of a query.
   *
   * @param scans the tables, of which each row of the query shows a row
   */
  RowLocks(PlanContext context, RelNode root, List<TableScan> scans, int lockMode) {
    this.context = context;
    this.scans = scans;
    this.lockMode = lockMode;
    this.limit = limit(root);
    if (lockMode == LockTable.WRITE) {
      context.noteWriteLocks();
    }
  }

  private static Sort limit(RelNode root) {
    RelNode node = root;
    while (node instanceof Project project) {
      node = project.getInput();
    }
    return node instanceof Sort sort && (sort.fetch != null || sort.offset != null) ? sort : null;
  }

  /** Whether rows are locked below this node. */
  boolean areBelow(Sort sort) {
    return sort.equals(limit);
  }

  /** Whether rows are locked above everything else. */
  boolean areOnTop() {
    return limit == null;
  }

  /** Locks the rows of a relation, which shows all the tables. */
  PlannedRelation lock(PlannedRelation input) {
    List<SkipLocked.Target> targets = new ArrayList<>();
    for (TableScan scan : scans) {
      TableEntry table = (TableEntry) SqlFrontEnd.table(scan.getTable()).relation();
      targets.add(new SkipLocked.Target(table.store(), context.rowOf(scan), lockMode));
    }
    return input.withOperator(new SkipLocked(input.operator(), targets));
  }
}
