package org.nelumbo.planner.physical;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Expands ROLLUP, CUBE and GROUPING SETS into a union of aggregations, one for each set of columns.
 */
final class GroupingSets {
  private final Aggregate aggregate;
  private final RexBuilder rex;

  private GroupingSets(Aggregate aggregate) {
    this.aggregate = aggregate;
    this.rex = aggregate.getCluster().getRexBuilder();
  }

  /** Returns the union that is equivalent to an aggregation by several sets of columns. */
  static RelNode union(Aggregate aggregate) {
    GroupingSets sets = new GroupingSets(aggregate);
    List<RelNode> parts = new ArrayList<>();
    aggregate.getGroupSets().forEach(set -> parts.add(sets.part(set)));
    return parts.size() == 1 ? parts.getFirst() : LogicalUnion.create(parts, true);
  }

  /** Returns true if one of the functions is GROUPING. */
  static boolean areAsked(Aggregate aggregate) {
    return aggregate.getAggCallList().stream().anyMatch(GroupingSets::isGrouping);
  }

  private static boolean isGrouping(AggregateCall call) {
    return call.getAggregation().getKind() == SqlKind.GROUPING;
  }

  private RelNode part(ImmutableBitSet set) {
    List<AggregateCall> calls =
        aggregate.getAggCallList().stream().filter(call -> !isGrouping(call)).toList();
    RelNode part =
        LogicalAggregate.create(
            aggregate.getInput(), aggregate.getHints(), set, List.of(set), retyped(set, calls));
    List<RelDataTypeField> fields = aggregate.getRowType().getFieldList();
    List<RexNode> columns = new ArrayList<>();
    for (int field : aggregate.getGroupSet()) {
      RelDataType type = fields.get(columns.size()).getType();
      columns.add(
          set.get(field)
              ? typed(type, rex.makeInputRef(part, set.indexOf(field)))
              : rex.makeNullLiteral(type));
    }
    int next = set.cardinality();
    for (AggregateCall call : aggregate.getAggCallList()) {
      RelDataType type = fields.get(columns.size()).getType();
      columns.add(
          isGrouping(call)
              ? rex.makeExactLiteral(BigDecimal.valueOf(missing(set, call)), type)
              : typed(type, rex.makeInputRef(part, next++)));
    }
    return LogicalProject.create(
        part, List.of(), columns, aggregate.getRowType(), java.util.Set.of());
  }

  private RexNode typed(RelDataType type, RexNode node) {
    return node.getType().equals(type) ? node : rex.makeAbstractCast(type, node, false);
  }

  /** Without group columns a sum may be NULL, because the only group may be empty. */
  private List<AggregateCall> retyped(ImmutableBitSet set, List<AggregateCall> calls) {
    List<AggregateCall> retyped = new ArrayList<>();
    for (AggregateCall call : calls) {
      retyped.add(
          AggregateCall.create(
              SqlParserPos.ZERO,
              call.getAggregation(),
              call.isDistinct(),
              call.isApproximate(),
              call.ignoreNulls(),
              call.rexList,
              call.getArgList(),
              call.filterArg,
              call.distinctKeys,
              call.getCollation(),
              set.isEmpty(),
              aggregate.getInput(),
              null,
              call.getName()));
    }
    return retyped;
  }

  /** One bit per argument, which is 1 if the column is not in the set. */
  private static long missing(ImmutableBitSet set, AggregateCall call) {
    long bits = 0;
    for (int field : call.getArgList()) {
      bits = 2 * bits + (set.get(field) ? 0 : 1);
    }
    return bits;
  }
}
