package org.nelumbo.planner.function;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.calcite.sql.SqlOperator;
import org.junit.jupiter.api.Test;

class NelumboOperatorsTest {
  /** The table does not search its own operators for other syntaxes. */
  @Test
  void shouldFindAllOwnOperators() {
    for (SqlOperator operator : NelumboOperators.own()) {
      assertTrue(NelumboOperators.mayBeOwn(operator.getSyntax()), operator.toString());
    }
  }
}
