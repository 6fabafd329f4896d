package org.nelumbo.planner.relation;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.TableScan;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.parser.ast.LockWait;

/** A node that locks rows, above the conditions and below the LIMIT of their query. */
public final class LockedRowsNode extends SingleRel {
  private final List<TableScan> scans;
  private final LockMode lockMode;
  private final LockWait lockWait;

  /**
   * Creates a node that locks rows of some tables.
   *
   * @param scans the tables; each row of the input contains one row of each
   * @param lockWait NOWAIT or SKIP_LOCKED
   */
  public LockedRowsNode(
      RelNode input, List<TableScan> scans, LockMode lockMode, LockWait lockWait) {
    super(input.getCluster(), input.getTraitSet(), input);
    this.scans = scans;
    this.lockMode = lockMode;
    this.lockWait = lockWait;
  }

  public List<TableScan> scans() {
    return scans;
  }

  public LockMode lockMode() {
    return lockMode;
  }

  public LockWait lockWait() {
    return lockWait;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new LockedRowsNode(sole(inputs), scans, lockMode, lockWait);
  }
}
