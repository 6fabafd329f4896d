package org.nelumbo.planner.subquery;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/** Helper methods for the transformation of relational trees. */
final class RelNodes {
  private RelNodes() {}

  /** Returns a node whose inputs and subqueries are transformed. */
  static RelNode withBelow(RelNode node, UnaryOperator<RelNode> change) {
    return withBelow(node, change, change);
  }

  /**
   * Returns a node whose inputs are transformed by one function and whose subqueries by another.
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

  /** Returns the cross join of a join's sides, for use below a filter with the join condition. */
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
