package org.nelumbo.planner.subquery;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;

/**
 * Computes IN, SOME and ALL below the condition that contains them, where the difference between
 * false and unknown matters. Calcite's rules distinguish the two only as far as AND, OR, NOT and IS
 * require it. The rules pass this requirement on through all other operators: in {@code NOT (a IN
 * (...) = FALSE)} they would treat unknown as true.
 *
 * <pre>
 *   Filter(NOT (a IN (...) = FALSE))
 *     Project(a)
 *       T(a)
 *   =>
 *   Filter(NOT ($1 = FALSE))
 *     Project(a, a IN (...))
 *       T(a)
 * </pre>
 *
 * <p>The same is done for operands of subqueries that are subqueries themselves, or NULL. Calcite's
 * rules lose the row to which the inner subquery refers, and return unknown for NULL even if the
 * list is empty.
 *
 * <p>An inner join with such a condition becomes a filter above the join. Conditions of outer joins
 * remain unchanged.
 */
final class SubQueryHoister {
  private SubQueryHoister() {}

  private enum Unknown {
    /** Unknown is distinguished from false and true. */
    KEPT,
    /** Unknown may be treated as false or true, as AND, OR, NOT and IS require. */
    DECIDED,
    /** Unknown would be treated as false or true although another operator lies in between. */
    MISTAKEN
  }

  static RelNode hoist(RelNode node) {
    RelNode inner = RelNodes.withBelow(node, SubQueryHoister::hoist);
    RelNode hoisted = hoistHere(inner);
    return hoisted == inner ? inner : hoist(hoisted);
  }

  private static RelNode hoistHere(RelNode inner) {
    return switch (inner) {
      case Filter filter when isMistaken(filter.getCondition(), Unknown.DECIDED) -> filter(filter);
      case Project project
          when project.getProjects().stream().anyMatch(e -> isMistaken(e, Unknown.KEPT)) ->
          project(project);
      case Join join
          when join.getJoinType() == JoinRelType.INNER
              && isMistaken(join.getCondition(), Unknown.DECIDED) ->
          join(join);
      default -> inner;
    };
  }

  private static boolean isMistaken(RexNode expression, Unknown unknown) {
    return switch (expression) {
      case RexSubQuery subQuery ->
          (unknown == Unknown.MISTAKEN && isThreeValued(subQuery))
              || subQuery.getOperands().stream().anyMatch(SubQueryHoister::isComputedBefore);
      case RexCall call -> {
        Unknown below = below(call, unknown);
        yield call.getOperands().stream().anyMatch(operand -> isMistaken(operand, below));
      }
      default -> false;
    };
  }

  private static boolean isComputedBefore(RexNode operand) {
    return RexUtil.isNullLiteral(operand, true) || RexUtil.SubQueryFinder.find(operand) != null;
  }

  private static boolean isThreeValued(RexSubQuery subQuery) {
    return subQuery.getKind() != SqlKind.SCALAR_QUERY && subQuery.getKind() != SqlKind.EXISTS;
  }

  private static Unknown below(RexCall call, Unknown unknown) {
    return switch (call.getKind()) {
      case AND, OR, NOT -> unknown;
      case IS_NULL, IS_NOT_NULL, CASE -> Unknown.KEPT;
      case IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE -> Unknown.DECIDED;
      default -> unknown == Unknown.KEPT ? Unknown.KEPT : Unknown.MISTAKEN;
    };
  }

  private static RelNode filter(Filter filter) {
    Below below = new Below(filter.getInput(), List.of(filter.getCondition()), filter);
    return below.original(below.filter());
  }

  private static RelNode project(Project project) {
    Below below = new Below(project.getInput(), project.getProjects(), project);
    return LogicalProject.create(
        below.project,
        project.getHints(),
        below.replaced,
        project.getRowType().getFieldNames(),
        below.variables());
  }

  private static RelNode join(Join join) {
    RelNode all = RelNodes.allPairs(join);
    Below below = new Below(all, List.of(join.getCondition()), join);
    return below.original(below.filter());
  }

  private static final class Below {
    final RelNode project;
    final List<RexNode> replaced;
    private final int columns;
    private final RelNode user;

    Below(RelNode input, List<RexNode> expressions, RelNode user) {
      RexBuilder rex = input.getCluster().getRexBuilder();
      this.user = user;
      columns = input.getRowType().getFieldCount();
      List<RexNode> projects = new ArrayList<>(rex.identityProjects(input.getRowType()));
      List<RexNode> hoisted = new ArrayList<>();
      expressions.forEach(expression -> collect(expression, hoisted));
      projects.addAll(hoisted);
      List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
      for (int i = 0; i < hoisted.size(); i++) {
        names.add("$operand" + i);
      }
      project = LogicalProject.create(input, List.of(), projects, names, user.getVariablesSet());
      RexShuttle replacing =
          new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery subQuery) {
              return hoisted.contains(subQuery)
                  ? column(subQuery)
                  : subQuery.clone(
                      subQuery.getType(),
                      subQuery.getOperands().stream()
                          .map(each -> hoisted.contains(each) ? column(each) : each)
                          .toList());
            }

            private RexNode column(RexNode computed) {
              return rex.makeInputRef(project, columns + hoisted.indexOf(computed));
            }
          };
      replaced = replacing.visitList(expressions);
    }

    private static void collect(RexNode expression, List<RexNode> into) {
      expression.accept(
          new RexVisitorImpl<Void>(true) {
            @Override
            public Void visitSubQuery(RexSubQuery subQuery) {
              List<RexNode> before =
                  subQuery.getOperands().stream()
                      .filter(SubQueryHoister::isComputedBefore)
                      .toList();
              for (RexNode each : before.isEmpty() ? List.of(subQuery) : before) {
                if (!into.contains(each)) {
                  into.add(each);
                }
              }
              return null;
            }
          });
    }

    /** Returns a filter with the rewritten condition. */
    RelNode filter() {
      return LogicalFilter.create(project, replaced.getFirst(), ImmutableSet.copyOf(variables()));
    }

    /** Returns the variables by which the remaining subqueries refer to the row. */
    Set<CorrelationId> variables() {
      return RexUtil.SubQueryFinder.find(replaced) != null ? user.getVariablesSet() : Set.of();
    }

    /** Returns a projection to the original columns. */
    RelNode original(RelNode above) {
      RexBuilder rex = above.getCluster().getRexBuilder();
      return LogicalProject.create(
          above,
          List.of(),
          rex.identityProjects(above.getRowType()).subList(0, columns),
          above.getRowType().getFieldNames().subList(0, columns),
          Set.of());
    }
  }
}
