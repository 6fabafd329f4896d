package org.nelumbo.executor.plan;

import java.util.List;
import org.nelumbo.executor.op.core.Operator;

/**
 * An operator of a plan as EXPLAIN shows it, with its input operators.
 *
 * @param text description of the operator, one line
 * @param expectedRows estimated number of rows each time it is opened; -1 if unknown
 * @param expectedCost cost by which the planner chose this access path; -1 if there was no choice
 * @param statistics measurements of a run; null if it was not measured
 */
public record ExplainedOperator(
    String text,
    double expectedRows,
    double expectedCost,
    OperatorStatistics statistics,
    List<ExplainedOperator> inputs) {

  /** Describes the operators of a plan, from the root down. */
  static ExplainedOperator of(Operator operator) {
    List<ExplainedOperator> inputs =
        operator.children().stream().map(ExplainedOperator::of).toList();
    InstrumentedOperator measured =
        operator instanceof InstrumentedOperator instrumented ? instrumented : null;
    Operator planned = measured == null ? operator : measured.planned();
    double rows = planned.expectedRows();
    if (rows < 0 && inputs.size() == 1) {
      rows = inputs.getFirst().expectedRows; // the operator passes its input rows on
    }
    return new ExplainedOperator(
        operator.explain(),
        rows,
        planned.expectedCost(),
        measured == null ? null : measured.statistics(),
        inputs);
  }
}
