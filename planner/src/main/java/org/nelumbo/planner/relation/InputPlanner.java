package org.nelumbo.planner.relation;

import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;

/** Plans the inputs of a relational node of any kind. */
public interface InputPlanner {
  /**
   * Plans a node.
   *
   * @param conjuncts conditions over its fields that all rows must satisfy, without subqueries
   */
  PlannedRelation plan(RelNode node, List<RexNode> conjuncts, RequiredOrder requiredOrder);

  /** Plans all rows of a node, in any order. */
  default PlannedRelation plan(RelNode node) {
    return plan(node, List.of(), RequiredOrder.NOTHING);
  }
}
