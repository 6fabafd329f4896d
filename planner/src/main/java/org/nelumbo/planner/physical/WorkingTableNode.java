package org.nelumbo.planner.physical;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.basic.WorkingTableScan;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;

/** A scan of the rows of the previous step, in the step of a recursive query. */
final class WorkingTableNode extends AbstractRelNode {
  private static final double ROWS = 100;

  private final WorkingTableScan scan;
  private final List<Expression> columns;

  WorkingTableNode(
      RelOptCluster cluster, RelDataType type, WorkingTableScan scan, List<Expression> columns) {
    super(cluster, cluster.traitSet());
    this.rowType = type;
    this.scan = scan;
    this.columns = columns;
  }

  PlannedRelation planned() {
    return new PlannedRelation(scan, columns, ROWS, ProvidedOrder.NONE);
  }
}
