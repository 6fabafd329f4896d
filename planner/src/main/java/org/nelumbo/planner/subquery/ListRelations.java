package org.nelumbo.planner.subquery;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.planner.access.ScanPattern;
import org.nelumbo.planner.rex.CommonTypes;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.OuterVariables;

/**
 * Turns the list of {@code x IN (SELECT ...)} above a join into a relation of the join, if the
 * subquery is not correlated. The list then takes part in the choice of the join order: it may come
 * first, and its values be looked up in the tables. Duplicate values are removed.
 */
public final class ListRelations {
  private ListRelations() {}

  /**
   * Joins lists to the join below their conditions. The fields of the join remain the first ones.
   *
   * @param conjuncts conditions with subqueries; the converted ones are removed
   * @return the node itself if there is no such list
   */
  public static RelNode joined(RelNode node, List<RexNode> conjuncts) {
    if (!isInnerJoin(node)) {
      return node;
    }
    RelNode joined = node;
    for (RexNode conjunct : List.copyOf(conjuncts)) {
      if (conjunct instanceof RexSubQuery subQuery && isList(subQuery)) {
        RelNode values = values(subQuery.rel);
        if (values != null) {
          joined = join(joined, values, subQuery);
          conjuncts.remove(conjunct);
        }
      }
    }
    return joined;
  }

  private static boolean isInnerJoin(RelNode node) {
    RelNode input = node;
    while (input instanceof Filter filter && !Conjuncts.hasSubQuery(filter.getCondition())) {
      input = filter.getInput();
    }
    return input instanceof Join join && join.getJoinType() == JoinRelType.INNER;
  }

  private static boolean isList(RexSubQuery subQuery) {
    if (subQuery.getKind() != SqlKind.IN
        || !SubQueryPlanner.isJoinable(subQuery)
        || !OuterVariables.areNoneIn(subQuery.rel)) {
      return false;
    }
    List<RexNode> operands = subQuery.getOperands();
    for (int i = 0; i < operands.size(); i++) {
      RexNode value = RexInputRef.of(i, subQuery.rel.getRowType());
      if (!(operands.get(i) instanceof RexInputRef operand)
          || !CommonTypes.areEqualAlike(value.getType(), operand.getType())) {
        return false;
      }
    }
    return true;
  }

  /** Null if it is better to look the values up in the table that contains them. */
  private static RelNode values(RelNode query) {
    ImmutableBitSet all = ImmutableBitSet.range(query.getRowType().getFieldCount());
    Boolean unique = query.getCluster().getMetadataQuery().areColumnsUnique(query, all);
    if (Boolean.TRUE.equals(unique)) {
      return query;
    }
    if (ScanPattern.of(query) != null) {
      return null;
    }
    return LogicalAggregate.create(query, List.of(), all, null, List.of());
  }

  private static RelNode join(RelNode node, RelNode values, RexSubQuery subQuery) {
    RexBuilder rex = node.getCluster().getRexBuilder();
    int count = node.getRowType().getFieldCount();
    List<RexNode> equal = new ArrayList<>();
    for (int i = 0; i < subQuery.getOperands().size(); i++) {
      RexNode value = RexInputRef.of(i, values.getRowType());
      equal.add(
          rex.makeCall(
              SqlStdOperatorTable.EQUALS,
              subQuery.getOperands().get(i),
              Conjuncts.shift(value, count)));
    }
    RexNode condition =
        equal.size() == 1 ? equal.getFirst() : rex.makeCall(SqlStdOperatorTable.AND, equal);
    return LogicalJoin.create(node, values, List.of(), condition, Set.of(), JoinRelType.INNER);
  }
}
