package org.nelumbo.planner.subquery;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.planner.rex.Conjuncts;

/**
 * Rewrites an outer join whose condition has a subquery that reads columns of both sides, into the
 * form of {@code LEFT JOIN LATERAL (SELECT * FROM b WHERE condition)}. The condition filters the
 * rows of one side for each row of the preserved side.
 */
final class ConditionSubQueries {
  private final Join join;
  private final RexBuilder rex;
  private final boolean keepsRight;
  private final int leftCount;
  private final CorrelationId kept;
  private final CorrelationId filtered;

  private ConditionSubQueries(Join join) {
    this.join = join;
    this.rex = join.getCluster().getRexBuilder();
    this.keepsRight = join.getJoinType() == JoinRelType.RIGHT;
    this.leftCount = join.getLeft().getRowType().getFieldCount();
    this.kept = join.getCluster().createCorrel();
    this.filtered = join.getCluster().createCorrel();
  }

  /**
   * Returns a tree in which LEFT and RIGHT JOINs with subqueries in their conditions are rewritten.
   */
  static RelNode lower(RelNode node) {
    RelNode lowered = RelNodes.withBelow(node, ConditionSubQueries::lower);
    return lowered instanceof Join join
            && (join.getJoinType() == JoinRelType.LEFT || join.getJoinType() == JoinRelType.RIGHT)
            && Conjuncts.hasSubQuery(join.getCondition())
        ? new ConditionSubQueries(join).lateral()
        : lowered;
  }

  private RelNode lateral() {
    RelNode outer = keepsRight ? join.getRight() : join.getLeft();
    RelNode inner = keepsRight ? join.getLeft() : join.getRight();
    RexNode condition = join.getCondition().accept(new Sides());
    RelNode filter = LogicalFilter.create(inner, condition, ImmutableSet.of(filtered));
    int count = outer.getRowType().getFieldCount();
    RelNode correlate =
        LogicalCorrelate.create(
            outer, filter, List.of(), kept, ImmutableBitSet.range(count), JoinRelType.LEFT);
    if (!keepsRight) {
      return correlate;
    }
    List<RexNode> fields = new ArrayList<>();
    for (int i = 0; i < join.getRowType().getFieldCount(); i++) {
      int field = i < leftCount ? count + i : i - leftCount;
      fields.add(RexInputRef.of(field, correlate.getRowType()));
    }
    return LogicalProject.create(
        correlate, List.of(), fields, join.getRowType().getFieldNames(), Set.of());
  }

  private boolean isKept(int field) {
    return field < leftCount != keepsRight;
  }

  private RexNode field(int field, boolean within) {
    RelNode side = field < leftCount ? join.getLeft() : join.getRight();
    int index = field < leftCount ? field : field - leftCount;
    if (isKept(field)) {
      return rex.makeFieldAccess(rex.makeCorrel(side.getRowType(), kept), index);
    }
    return within
        ? rex.makeFieldAccess(rex.makeCorrel(side.getRowType(), filtered), index)
        : RexInputRef.of(index, side.getRowType());
  }

  private final class Sides extends RexShuttle {
    private boolean within;

    @Override
    public RexNode visitInputRef(RexInputRef reference) {
      return within ? reference : field(reference.getIndex(), false);
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess access) {
      return access.getReferenceExpr() instanceof RexCorrelVariable variable
              && join.getVariablesSet().contains(variable.id)
          ? field(access.getField().getIndex(), true)
          : super.visitFieldAccess(access);
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
      boolean outer = within;
      within = true;
      RelNode rel = rewritten(visited.rel);
      within = outer;
      return visited.clone(rel);
    }

    private RelNode rewritten(RelNode rel) {
      return rel.accept(
          new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode node) {
              return super.visit(node).accept(Sides.this);
            }
          });
    }
  }
}
