package org.nelumbo.planner.subquery;

import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.nelumbo.planner.convert.SharedQueryNode;

/**
 * Removes the ORDER BY of nested queries where no result depends on it. As in PostgreSQL, it stays
 * where the rows reach the result in their order, and below the following, which depend on the
 * order of their input: a LIMIT without an ORDER BY of its own, an aggregate function that
 * concatenates strings, and a window without ORDER BY.
 */
final class InnerOrder {
  private InnerOrder() {}

  /** Returns the tree of a statement without redundant sorts. */
  static RelNode reduce(RelNode root) {
    return reduce(root, true);
  }

  /**
   * Returns a node without redundant sorts.
   *
   * @param shown whether the result depends on the order of its rows
   */
  private static RelNode reduce(RelNode node, boolean shown) {
    if (node instanceof Sort sort && isPlain(sort) && !shown) {
      return reduce(sort.getInput(), false);
    }
    boolean below =
        switch (node) {
          case Sort sort -> sort.getCollation().getFieldCollations().isEmpty();
          case Project project when project.containsOver() -> hasUnorderedWindow(project);
          case Project _, Filter _, TableModify _ -> shown;
          case Union union -> shown && union.all;
          case Aggregate aggregate ->
              aggregate.getAggCallList().stream().anyMatch(InnerOrder::joins);
          case SharedQueryNode _ -> true;
          default -> false;
        };
    UnaryOperator<RelNode> inputs = input -> reduce(input, below);
    return RelNodes.withBelow(node, inputs, query -> reduce(query, false));
  }

  private static boolean isPlain(Sort sort) {
    return sort.offset == null && sort.fetch == null;
  }

  /** Returns true if a call concatenates strings in the order of the rows. */
  private static boolean joins(AggregateCall call) {
    SqlKind kind = call.getAggregation().getKind();
    return (kind == SqlKind.LISTAGG || kind == SqlKind.STRING_AGG)
        && call.getCollation().getFieldCollations().isEmpty();
  }

  private static boolean hasUnorderedWindow(Project project) {
    boolean[] found = {false};
    for (RexNode expression : project.getProjects()) {
      expression.accept(
          new RexVisitorImpl<Void>(true) {
            @Override
            public Void visitOver(RexOver over) {
              found[0] |= over.getWindow().orderKeys.isEmpty();
              return super.visitOver(over);
            }
          });
    }
    return found[0];
  }
}
