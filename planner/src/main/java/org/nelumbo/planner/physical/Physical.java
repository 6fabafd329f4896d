package org.nelumbo.planner.physical;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.Operator;

/**
 * A planned relation.
 *
 * @param operator delivers its rows
 * @param columns its fields, as expressions over the frame
 * @param rows about how many rows it has
 * @param ordered whether the rows come in the order that was wanted
 */
record Physical(Operator operator, List<Expression> columns, double rows, boolean ordered) {
  Physical {
    columns = List.copyOf(columns);
  }

  Physical withOperator(Operator newOperator) {
    return new Physical(newOperator, columns, rows, ordered);
  }

  Physical withColumns(List<Expression> newColumns) {
    return new Physical(operator, newColumns, rows, ordered);
  }

  Physical withRows(double newRows) {
    return new Physical(operator, columns, newRows, ordered);
  }

  Physical unordered() {
    return new Physical(operator, columns, rows, false);
  }
}
