package org.nelumbo.planner.subquery;

import java.util.List;
import org.apache.calcite.plan.RelOptCostImpl;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.nelumbo.planner.rex.Conjuncts;

/**
 * Rewrites the subqueries of a statement:
 *
 * <ol>
 *   <li>Redundant sorts are removed.
 *   <li>Subqueries in windows move to a projection below.
 *   <li>Calcite rewrites the subqueries that {@link SubQueryPlanner} cannot plan: IN under OR or in
 *       a select list, SOME and ALL, and subqueries in join conditions. Before that, {@link
 *       PartlyNullRows}, {@link SubQueryHoister} and {@link ProjectVariables} correct constructs
 *       for which Calcite's rules are wrong.
 *   <li>Outer joins that still have subqueries in their conditions become lateral, see {@link
 *       ConditionSubQueries}. The new tree is rewritten again.
 * </ol>
 *
 * <p>Statements without such subqueries are not changed.
 */
public final class SubQueryRewriter {
  private SubQueryRewriter() {}

  public static RelNode rewrite(RelNode tree) {
    RelNode root = WindowSubQueries.lower(InnerOrder.reduce(tree));
    if (!needsRewriting(root)) {
      return root;
    }
    HepProgram program =
        new HepProgramBuilder()
            .addRuleCollection(
                List.of(
                    CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
                    CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
                    CoreRules.JOIN_SUB_QUERY_TO_CORRELATE))
            .build();
    HepPlanner planner = new HepPlanner(program, null, true, null, RelOptCostImpl.FACTORY);
    RelNode hoisted = SubQueryHoister.hoist(PartlyNullRows.rewrite(root));
    planner.setRoot(ProjectVariables.complete(hoisted));
    RelNode rewritten = planner.findBestExp();
    RelNode lateral = ConditionSubQueries.lower(rewritten);
    return lateral == rewritten ? rewritten : rewrite(lateral);
  }

  private static boolean needsRewriting(RelNode node) {
    boolean needed =
        switch (node) {
          case Filter filter -> filter(filter);
          case Project project -> project.getProjects().stream().anyMatch(e -> !isSimple(e));
          case Join join -> Conjuncts.hasSubQuery(join.getCondition());
          default -> false;
        };
    for (RelNode input : node.getInputs()) {
      needed = needed || needsRewriting(input);
    }
    return needed;
  }

  private static boolean filter(Filter filter) {
    for (RexNode conjunct : Conjuncts.of(filter.getCondition())) {
      RexNode inner =
          conjunct.getKind() == SqlKind.NOT
              ? ((RexCall) conjunct).getOperands().getFirst()
              : conjunct;
      boolean joinable =
          inner instanceof RexSubQuery subQuery
              && SubQueryPlanner.isJoinable(subQuery)
              && !needsRewriting(subQuery.rel);
      if (!joinable && !isSimple(conjunct)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSimple(RexNode expression) {
    boolean[] simple = {true};
    expression.accept(
        new RexVisitorImpl<Void>(true) {
          @Override
          public Void visitSubQuery(RexSubQuery subQuery) {
            SqlKind kind = subQuery.getKind();
            simple[0] &=
                (kind == SqlKind.SCALAR_QUERY || kind == SqlKind.EXISTS)
                    && !needsRewriting(subQuery.rel);
            return null;
          }
        });
    return simple[0];
  }
}
