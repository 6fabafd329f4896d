package org.nelumbo.planner.rex;

import java.util.HashSet;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/** Finds the rows of outer queries to which a query, including its subqueries, refers. */
public final class OuterVariables {
  private final Set<CorrelationId> used = new HashSet<>();

  /** Rows of the query itself to which its subqueries refer. */
  private final Set<CorrelationId> own = new HashSet<>();

  private OuterVariables() {}

  /**
   * Returns true if a query is not correlated, that is, returns the same rows for all outer rows.
   */
  public static boolean areNoneIn(RelNode query) {
    OuterVariables variables = new OuterVariables();
    variables.collect(query);
    return variables.own.containsAll(variables.used);
  }

  private void collect(RelNode query) {
    RexShuttle expressions =
        new RexShuttle() {
          @Override
          public RexNode visitCorrelVariable(RexCorrelVariable variable) {
            used.add(variable.id);
            return variable;
          }

          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            collect(subQuery.rel);
            return super.visitSubQuery(subQuery);
          }
        };
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, RelNode parent) {
        own.addAll(node.getVariablesSet());
        if (node instanceof Correlate correlate) {
          own.add(correlate.getCorrelationId());
        }
        node.accept(expressions);
        super.visit(node, ordinal, parent);
      }
    }.go(query);
  }
}
