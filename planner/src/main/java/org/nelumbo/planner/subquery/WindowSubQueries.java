package org.nelumbo.planner.subquery;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/**
 * Moves subqueries out of windows. A projection below the window computes their values, and the
 * window orders, partitions or aggregates by them.
 */
final class WindowSubQueries {
  private final Project project;
  private final List<RexNode> below = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private WindowSubQueries(Project project) {
    this.project = project;
    RelNode input = project.getInput();
    for (int i = 0; i < input.getRowType().getFieldCount(); i++) {
      below.add(RexInputRef.of(i, input.getRowType()));
      names.add(input.getRowType().getFieldNames().get(i));
    }
  }

  /** Returns a tree without subqueries in windows. */
  static RelNode lower(RelNode node) {
    RelNode lowered = RelNodes.withBelow(node, WindowSubQueries::lower);
    return lowered instanceof Project project && project.containsOver()
        ? new WindowSubQueries(project).lowered()
        : lowered;
  }

  private RelNode lowered() {
    int count = below.size();
    List<RexNode> above = project.getProjects().stream().map(each -> each.accept(overs)).toList();
    if (below.size() == count) {
      return project;
    }
    ImmutableSet<CorrelationId> variables = ImmutableSet.copyOf(project.getVariablesSet());
    RelNode values = LogicalProject.create(project.getInput(), List.of(), below, names, variables);
    return LogicalProject.create(
        values, project.getHints(), above, project.getRowType().getFieldNames(), variables);
  }

  private final RexShuttle overs =
      new RexShuttle() {
        private boolean within;

        @Override
        public RexNode visitOver(RexOver over) {
          within = true;
          RexNode visited = super.visitOver(over);
          within = false;
          return visited;
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          if (!within) {
            return subQuery;
          }
          below.add(subQuery);
          names.add("$w" + below.size());
          return new RexInputRef(below.size() - 1, subQuery.getType());
        }
      };
}
