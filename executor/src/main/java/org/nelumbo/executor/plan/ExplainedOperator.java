package org.nelumbo.executor.plan;

import java.util.List;
import org.nelumbo.executor.op.core.Operator;

/**
 * An operator of a plan as EXPLAIN shows it, with those that it takes its rows from.
 *
 * @param text what it does, in a line
 * @param expectedRows about how many rows it gives each time it is opened; -1 if nobody knows
 * @param expectedCost by which the planner chose this way of reading; -1 if there was no choice
 * @param statistics of a run; null if it was not measured
 */
public record ExplainedOperator(
    String text,
    double expectedRows,
    double expectedCost,
    OperatorStatistics statistics,
    List<ExplainedOperator> inputs) {

  /** The operators of a plan, from the last one down. */
  static ExplainedOperator of(Operator operator) {
    List<ExplainedOperator> inputs =
        operator.children().stream().map(ExplainedOperator::of).toList();
    InstrumentedOperator measured =
        operator instanceof InstrumentedOperator instrumented ? instrumented : null;
    Operator planned = measured == null ? operator : measured.planned();
    double rows = planned.expectedRows();
    if (rows < 0 && inputs.size() == 1) {
      rows = inputs.getFirst().expectedRows; // it passes them on
    }
    return new ExplainedOperator(
        operator.explain(),
        rows,
        planned.expectedCost(),
        measured == null ? null : measured.statistics(),
        inputs);
  }
}
