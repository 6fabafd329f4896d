package org.nelumbo.planner.subquery;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/**
 * Has each select list say by what its subqueries refer to its own row. Calcite's rules take all
 * variables of the subqueries of one that says nothing for its own: also those of rows further out,
 * whose columns would be read in the wrong row.
 */
final class ProjectVariables {
  private ProjectVariables() {}

  static RelNode complete(RelNode root) {
    return complete(root, Set.of());
  }

  /**
   * A node, completed.
   *
   * @param outer variables of rows further out
   */
  private static RelNode complete(RelNode node, Set<CorrelationId> outer) {
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : node.getInputs()) {
      boolean isCorrelated = node instanceof Correlate && !inputs.isEmpty();
      inputs.add(complete(input, isCorrelated ? and(outer, node.getVariablesSet()) : outer));
    }
    RelNode copy = inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    Set<CorrelationId> used = new HashSet<>();
    RelNode inner =
        copy.accept(
            new RexShuttle() {
              @Override
              public RexSubQuery visitSubQuery(RexSubQuery subQuery) {
                RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
                Set<CorrelationId> here = RelOptUtil.getVariablesUsed(visited.rel);
                used.addAll(here);
                RelNode rel = complete(visited.rel, and(outer, here));
                return rel == visited.rel ? visited : visited.clone(rel);
              }
            });
    boolean isSilent = inner instanceof Project && inner.getVariablesSet().isEmpty();
    return isSilent && used.stream().anyMatch(outer::contains)
        ? withVariables((Project) inner, without(used, outer))
        : inner;
  }

  /** A set that is not empty says something: one variable that nobody uses will do. */
  private static RelNode withVariables(Project project, Set<CorrelationId> own) {
    return LogicalProject.create(
        project.getInput(),
        project.getHints(),
        project.getProjects(),
        project.getRowType().getFieldNames(),
        own.isEmpty() ? Set.of(project.getCluster().createCorrel()) : own);
  }

  private static Set<CorrelationId> and(Set<CorrelationId> some, Set<CorrelationId> others) {
    Set<CorrelationId> all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }

  private static Set<CorrelationId> without(Set<CorrelationId> some, Set<CorrelationId> others) {
    Set<CorrelationId> left = new HashSet<>(some);
    left.removeAll(others);
    return left;
  }
}
