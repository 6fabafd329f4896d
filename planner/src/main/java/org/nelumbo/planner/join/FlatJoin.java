package org.nelumbo.planner.join;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.planner.rex.Conjuncts;

/** The relations and conditions of a tree of inner joins. */
final class FlatJoin {
  private final List<RelNode> leaves = new ArrayList<>();
  private final List<RexNode> conjuncts = new ArrayList<>();

  FlatJoin(Join join) {
    flattenSides(join, 0);
  }

  private void flatten(RelNode node, int offset) {
    boolean inner =
        node instanceof Join join
            && join.getJoinType() == JoinRelType.INNER
            && !Conjuncts.hasSubQuery(join.getCondition());
    if (inner) {
      flattenSides((Join) node, offset);
    } else if (node instanceof Filter filter
        && filter.getInput() instanceof Join
        && !Conjuncts.hasSubQuery(filter.getCondition())) {
      flatten(filter.getInput(), offset);
      addAll(filter.getCondition(), offset);
    } else {
      leaves.add(node);
    }
  }

  private void flattenSides(Join join, int offset) {
    flatten(join.getLeft(), offset);
    flatten(join.getRight(), offset + join.getLeft().getRowType().getFieldCount());
    addAll(join.getCondition(), offset);
  }

  private void addAll(RexNode condition, int offset) {
    for (RexNode conjunct : Conjuncts.of(condition)) {
      conjuncts.add(Conjuncts.shift(conjunct, offset));
    }
  }

  List<RelNode> leaves() {
    return leaves;
  }

  /** Returns the conditions over the fields of all relations. */
  List<RexNode> conjuncts() {
    return conjuncts;
  }
}
