package org.nelumbo.planner.join;

import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.planner.access.ScanPattern;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.RequiredOrder;

/** A node of a relational tree that is joined. */
record NodeInput(RelNode node, ScanPattern pattern, InputPlanner inputs) implements JoinInput {
  NodeInput(RelNode node, InputPlanner inputs) {
    this(node, ScanPattern.of(node), inputs);
  }

  @Override
  public List<RelDataType> types() {
    return node.getRowType().getFieldList().stream().map(RelDataTypeField::getType).toList();
  }

  @Override
  public double rows() {
    Double rows = node.getCluster().getMetadataQuery().getRowCount(node);
    return rows == null ? CostModel.LEAST_JOINED : Math.max(1, rows);
  }

  @Override
  public PlannedRelation plan(List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    return inputs.plan(node, conjuncts, requiredOrder);
  }
}
