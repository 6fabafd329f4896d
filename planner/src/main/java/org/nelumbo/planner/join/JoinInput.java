package org.nelumbo.planner.join;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.planner.access.ScanPattern;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.RequiredOrder;

/** A relation of a join: a node of a relational tree, or a table of a statement without a tree. */
public interface JoinInput {
  /** Returns the types of the fields. */
  List<RelDataType> types();

  /** Returns the relation as a table that can be read by key, or null if it is not one. */
  ScanPattern pattern();

  /** Returns the estimated number of rows of a relation without pattern. */
  double rows();

  /**
   * Plans the relation.
   *
   * @param conjuncts conditions over its fields that all rows must satisfy, without subqueries
   */
  PlannedRelation plan(List<RexNode> conjuncts, RequiredOrder requiredOrder);
}
