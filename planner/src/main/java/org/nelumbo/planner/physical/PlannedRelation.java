package org.nelumbo.planner.physical;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.core.Operator;

/**
 * A relational node that has been planned.
 *
 * @param operator delivers its rows
 * @param columns its fields, as expressions over the frame
 * @param rows about how many rows it has
 * @param ordered whether the rows come in the order that was wanted
 */
record PlannedRelation(Operator operator, List<Expression> columns, double rows, boolean ordered) {
  PlannedRelation {
    columns = List.copyOf(columns);
    operator.expect(rows);
  }

  PlannedRelation withOperator(Operator newOperator) {
    return new PlannedRelation(newOperator, columns, rows, ordered);
  }

  PlannedRelation withColumns(List<Expression> newColumns) {
    return new PlannedRelation(operator, newColumns, rows, ordered);
  }

  PlannedRelation withRows(double newRows) {
    return new PlannedRelation(operator, columns, newRows, ordered);
  }

  PlannedRelation unordered() {
    return new PlannedRelation(operator, columns, rows, false);
  }
}
