package org.nelumbo.planner.relation;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.core.Operator;

/**
 * A relational node that has been planned.
 *
 * @param operator delivers its rows
 * @param columns its fields, as expressions over the frame
 * @param rows about how many rows it has
 * @param order in which its rows come
 */
public record PlannedRelation(
    Operator operator, List<Expression> columns, double rows, ProvidedOrder order) {
  public PlannedRelation {
    columns = List.copyOf(columns);
    operator.expect(rows);
  }

  /** Returns a relation of rows in the same order. */
  public PlannedRelation withOperator(Operator newOperator) {
    return new PlannedRelation(newOperator, columns, rows, order);
  }

  public PlannedRelation withColumns(List<Expression> newColumns) {
    return new PlannedRelation(operator, newColumns, rows, order);
  }

  public PlannedRelation withRows(double newRows) {
    return new PlannedRelation(operator, columns, newRows, order);
  }

  /** Returns a relation of the same rows, in any order. */
  public PlannedRelation unsorted() {
    return order.isSorted() ? new PlannedRelation(operator, columns, rows, order.unsorted()) : this;
  }

  /** Returns whether the rows come in the order of keys over the columns. */
  public boolean isOrderedBy(List<RequiredOrder.Key> keys) {
    return order.isBy(keys, columns);
  }
}
