package org.nelumbo.planner.subquery;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.planner.rex.Conjuncts;

/**
 * Corrects IN for a row of several values, some of which are NULL. The result is false if the known
 * values differ from those of each row; Calcite's rules return unknown whenever a value is unknown.
 * So the condition first looks for a row that may be equal:
 *
 * <pre>
 *   (a, b) IN (SELECT c, d ...)
 *   =>  EXISTS (SELECT ... WHERE (c = a) IS NOT FALSE AND (d = b) IS NOT FALSE)
 *       AND (a, b) IN (SELECT c, d ...)
 * </pre>
 *
 * <p>This is done only where the difference between false and unknown matters. In conditions of
 * outer joins such an expression is rejected.
 */
final class PartlyNullRows {
  private final RexBuilder rex;
  private final RelDataType row;

  /** Variables by which subqueries refer to the row. */
  private final Set<CorrelationId> variables;

  private boolean isRewritten;

  private final RelNode input;

  private PartlyNullRows(RelNode input, Set<CorrelationId> variables) {
    this.rex = input.getCluster().getRexBuilder();
    this.row = input.getRowType();
    this.input = input;
    this.variables = new TreeSet<>(variables);
  }

  static RelNode rewrite(RelNode node) {
    RelNode inner = RelNodes.withBelow(node, PartlyNullRows::rewrite);
    return switch (inner) {
      case Filter filter -> rewrite(filter);
      case Project project -> rewrite(project);
      case Join join when Conjuncts.hasSubQuery(join.getCondition()) -> rewrite(join);
      default -> inner;
    };
  }

  private static RelNode rewrite(Filter filter) {
    PartlyNullRows rows = new PartlyNullRows(filter.getInput(), filter.getVariablesSet());
    RexNode condition = rows.rewrite(filter.getCondition(), false);
    return !rows.isRewritten
        ? filter
        : LogicalFilter.create(rows.input, condition, ImmutableSet.copyOf(rows.variables));
  }

  private static RelNode rewrite(Join join) {
    RelNode all = RelNodes.allPairs(join);
    Filter filter =
        LogicalFilter.create(all, join.getCondition(), ImmutableSet.copyOf(join.getVariablesSet()));
    RelNode rewritten = rewrite(filter);
    if (rewritten != filter && join.getJoinType() != JoinRelType.INNER) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "NOT IN with a row of several values, some of which may be NULL, is not supported in the"
              + " condition of an outer join: use NOT EXISTS");
    }
    return rewritten == filter ? join : rewritten;
  }

  private static RelNode rewrite(Project project) {
    PartlyNullRows rows = new PartlyNullRows(project.getInput(), project.getVariablesSet());
    List<RexNode> projects =
        project.getProjects().stream().map(each -> rows.rewrite(each, true)).toList();
    return !rows.isRewritten
        ? project
        : LogicalProject.create(
            rows.input,
            project.getHints(),
            projects,
            project.getRowType().getFieldNames(),
            rows.variables);
  }

  private RexNode rewrite(RexNode expression, boolean matters) {
    return switch (expression) {
      case RexSubQuery in when matters && isPartlyNull(in) ->
          rex.makeCall(SqlStdOperatorTable.AND, mayBeEqual(in), in);
      case RexSubQuery other -> other;
      case RexCall call -> {
        boolean below = matters || (call.getKind() != SqlKind.AND && call.getKind() != SqlKind.OR);
        List<RexNode> operands =
            call.getOperands().stream().map(each -> rewrite(each, below)).toList();
        yield operands.equals(call.getOperands())
            ? call
            : call.clone(
                call.getType(),
                call.getKind() == SqlKind.AND ? RexUtil.flattenAnd(operands) : operands);
      }
      default -> expression;
    };
  }

  private static boolean isPartlyNull(RexSubQuery subQuery) {
    return subQuery.getKind() == SqlKind.IN
        && subQuery.getOperands().size() > 1
        && (subQuery.getOperands().stream().anyMatch(each -> each.getType().isNullable())
            || subQuery.rel.getRowType().getFieldList().stream()
                .anyMatch(each -> each.getType().isNullable()));
  }

  private RexNode mayBeEqual(RexSubQuery in) {
    List<RexNode> conditions = new ArrayList<>();
    for (int i = 0; i < in.getOperands().size(); i++) {
      RexNode equal =
          rex.makeCall(
              SqlStdOperatorTable.EQUALS,
              rex.makeInputRef(in.rel, i),
              ofOuterRow(in.getOperands().get(i)));
      conditions.add(
          equal.getType().isNullable()
              ? rex.makeCall(SqlStdOperatorTable.IS_NOT_FALSE, equal)
              : equal);
    }
    RexNode all = rex.makeCall(SqlStdOperatorTable.AND, conditions);
    return RexSubQuery.exists(LogicalFilter.create(in.rel, all));
  }

  private RexNode ofOuterRow(RexNode expression) {
    isRewritten = true;
    if (variables.isEmpty()) {
      variables.add(input.getCluster().createCorrel());
    }
    CorrelationId own = variables.iterator().next();
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            return rex.makeFieldAccess(rex.makeCorrel(row, own), reference.getIndex());
          }
        });
  }
}
