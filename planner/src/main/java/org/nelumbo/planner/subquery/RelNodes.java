package org.nelumbo.planner.subquery;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/** Changes trees of relational nodes. */
final class RelNodes {
  private RelNodes() {}

  /** A node with its inputs, and the queries of its subqueries, changed. */
  static RelNode withBelow(RelNode node, UnaryOperator<RelNode> change) {
    return withBelow(node, change, change);
  }

  /**
   * Returns a node with its inputs changed in one way, and the queries of its subqueries in one.
   */
  static RelNode withBelow(
      RelNode node, UnaryOperator<RelNode> inputChange, UnaryOperator<RelNode> change) {
    List<RelNode> inputs = node.getInputs().stream().map(inputChange).toList();
    RelNode copy = inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    return copy.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
            RelNode rel = change.apply(visited.rel);
            return rel == visited.rel ? visited : visited.clone(rel);
          }
        });
  }

  /** All pairs of the rows of a join's sides, for a filter above that has its condition. */
  static RelNode allPairs(Join join) {
    return join.copy(
        join.getTraitSet(),
        join.getCluster().getRexBuilder().makeLiteral(true),
        join.getLeft(),
        join.getRight(),
        JoinRelType.INNER,
        join.isSemiJoinDone());
  }
}
