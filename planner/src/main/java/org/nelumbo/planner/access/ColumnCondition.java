package org.nelumbo.planner.access;

import java.util.List;
import org.nelumbo.executor.expr.Expression;

/**
 * A condition on one column of a table that an index may decide.
 *
 * @param column ordinal in the table
 * @param values the compared values: one, but all elements of the list for IN, and none for IS NULL
 * @param conjunct index of the conjunct that contains the condition
 * @param exact whether the conjunct need not be checked again if an index decides this condition
 */
record ColumnCondition(
    int column, Comparison comparison, List<Expression> values, int conjunct, boolean exact) {
  enum Comparison {
    EQUAL,
    IS_NULL,
    IN,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL
  }

  Expression value() {
    return values.getFirst();
  }

  boolean isLower() {
    return comparison == Comparison.GREATER || comparison == Comparison.GREATER_OR_EQUAL;
  }

  boolean isUpper() {
    return comparison == Comparison.LESS || comparison == Comparison.LESS_OR_EQUAL;
  }

  boolean isInclusive() {
    return comparison == Comparison.GREATER_OR_EQUAL || comparison == Comparison.LESS_OR_EQUAL;
  }
}
