package org.nelumbo.planner.join;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.planner.rex.CommonTypes;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.OuterVariables;

/**
 * A correlated scalar subquery that aggregates the rows that are equal to the outer row in some
 * columns: {@code SELECT AVG(x) FROM t WHERE t.k = outer.k}. Its values for all outer rows can be
 * computed at once by grouping on these columns. An outer row without a group gets the result of an
 * empty aggregate: zero for COUNT, else NULL.
 *
 * @param value the result of the subquery, over the fields of the aggregate
 * @param aggregate the original aggregate, without groups
 * @param base the aggregated relation, without its conditions
 * @param local conditions over the fields of the base
 * @param keys equalities between fields of the outer row, which come first, and fields of the base
 * @param outerKeys for each equality, its side over the fields of the outer row
 * @param grouped the aggregates of each group; the group columns come first
 */
public record GroupedSubQuery(
    RexNode value,
    Aggregate aggregate,
    RelNode base,
    List<RexNode> local,
    List<RexNode> keys,
    List<RexNode> outerKeys,
    RelNode grouped) {

  /** Matches a subquery against this form; returns null if it does not match. */
  public static GroupedSubQuery of(RelNode query, Set<CorrelationId> variables, int outerCount) {
    RexNode value = RexInputRef.of(0, query.getRowType());
    RelNode node = query;
    while (node instanceof Project project && isPlain(project)) {
      value = Conjuncts.substitute(value, project.getProjects());
      node = project.getInput();
    }
    if (!(node instanceof Aggregate aggregate) || !isPlain(aggregate)) {
      return null;
    }
    List<RexNode> columns = new ArrayList<>();
    RelNode base = aggregate.getInput();
    base.getRowType()
        .getFieldList()
        .forEach(field -> columns.add(new RexInputRef(field.getIndex(), field.getType())));
    while (base instanceof Project project && isPlain(project)) {
      columns.replaceAll(column -> Conjuncts.substitute(column, project.getProjects()));
      base = project.getInput();
    }
    List<RexNode> conjuncts = new ArrayList<>();
    while (base instanceof Filter filter && !Conjuncts.hasSubQuery(filter.getCondition())) {
      conjuncts.addAll(Conjuncts.of(filter.getCondition()));
      base = filter.getInput();
    }
    return of(value, aggregate, base, columns, conjuncts, variables, outerCount);
  }

  private static GroupedSubQuery of(
      RexNode value,
      Aggregate aggregate,
      RelNode base,
      List<RexNode> columns,
      List<RexNode> conjuncts,
      Set<CorrelationId> variables,
      int outerCount) {
    List<RexNode> local = new ArrayList<>();
    List<RexNode> keys = new ArrayList<>();
    List<RexNode> outerKeys = new ArrayList<>();
    List<RexNode> innerKeys = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      if (!RexUtil.containsCorrelation(conjunct)) {
        local.add(conjunct);
        continue;
      }
      RexNode outward = Conjuncts.outward(conjunct, variables, outerCount);
      RexNode outer = side(outward, 0, outerCount);
      RexNode inner = side(outward, outerCount, Integer.MAX_VALUE);
      if (outer == null
          || inner == null
          || !Conjuncts.isDeterministic(outward)
          || !CommonTypes.areEqualAlike(inner.getType(), outer.getType())) {
        return null;
      }
      keys.add(outward);
      outerKeys.add(outer);
      innerKeys.add(RexUtil.shift(inner, -outerCount));
    }
    if (keys.isEmpty()) {
      return null;
    }
    RelNode grouped = grouped(aggregate, filtered(base, local), columns, innerKeys);
    return OuterVariables.areNoneIn(grouped)
        ? new GroupedSubQuery(value, aggregate, base, local, keys, outerKeys, grouped)
        : null;
  }

  private static boolean isPlain(Project project) {
    return !project.containsOver()
        && project.getProjects().stream()
            .allMatch(
                each ->
                    !Conjuncts.hasSubQuery(each)
                        && Conjuncts.isDeterministic(each)
                        && !RexUtil.containsCorrelation(each));
  }

  private static boolean isPlain(Aggregate aggregate) {
    return aggregate.getGroupType() == Aggregate.Group.SIMPLE
        && aggregate.getGroupCount() == 0
        && aggregate.getAggCallList().stream().allMatch(GroupedSubQuery::isPlain);
  }

  private static boolean isPlain(AggregateCall call) {
    return switch (call.getAggregation().getKind()) {
      case COUNT, SUM, SUM0, MIN, MAX, AVG -> call.rexList.isEmpty();
      default -> false;
    };
  }

  /** Returns true if an aggregate of no rows is zero; all others are NULL. */
  public static boolean isCount(AggregateCall call) {
    SqlKind kind = call.getAggregation().getKind();
    return kind == SqlKind.COUNT || kind == SqlKind.SUM0;
  }

  private static RexNode side(RexNode equality, int from, int to) {
    if (equality.getKind() != SqlKind.EQUALS) {
      return null;
    }
    for (RexNode operand : ((RexCall) equality).getOperands()) {
      ImmutableBitSet fields = Conjuncts.fields(operand);
      if (!fields.isEmpty() && fields.nth(0) >= from && fields.length() <= to) {
        return operand;
      }
    }
    return null;
  }

  private static RelNode filtered(RelNode base, List<RexNode> local) {
    return local.isEmpty()
        ? base
        : LogicalFilter.create(
            base, RexUtil.composeConjunction(base.getCluster().getRexBuilder(), local));
  }

  private static RelNode grouped(
      Aggregate aggregate, RelNode rows, List<RexNode> columns, List<RexNode> keys) {
    List<RexNode> all = new ArrayList<>(columns);
    all.addAll(keys);
    RelNode input = LogicalProject.create(rows, List.of(), all, (List<String>) null, Set.of());
    ImmutableBitSet groups = ImmutableBitSet.range(columns.size(), all.size());
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(call.adaptTo(input, call.getArgList(), call.filterArg, true, false));
    }
    return LogicalAggregate.create(input, List.of(), groups, null, calls);
  }

  /**
   * Returns the conditions of the join with the groups, over the fields of the outer row followed
   * by those of the groups.
   */
  public List<RexNode> on(int outerCount) {
    RexBuilder rex = grouped.getCluster().getRexBuilder();
    List<RexNode> on = new ArrayList<>();
    for (int i = 0; i < outerKeys.size(); i++) {
      RexNode group = Conjuncts.shift(RexInputRef.of(i, grouped.getRowType()), outerCount);
      on.add(rex.makeCall(SqlStdOperatorTable.EQUALS, outerKeys.get(i), group));
    }
    return on;
  }
}
