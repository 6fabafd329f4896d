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
 * Declares on each select list the variables by which its subqueries refer to its own row. If a
 * select list declares none, Calcite's rules treat all variables of its subqueries as its own,
 * including those of outer rows, whose columns would then be read from the wrong row.
 */
final class ProjectVariables {
  private ProjectVariables() {}

  static RelNode complete(RelNode root) {
    return complete(root, Set.of());
  }

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

  /** The set must not be empty, so an unused variable is declared if there are none. */
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
