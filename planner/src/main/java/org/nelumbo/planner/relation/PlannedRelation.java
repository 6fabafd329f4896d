package org.nelumbo.planner.relation;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.core.Operator;

/**
 * A planned relational node.
 *
 * @param operator operator that returns its rows
 * @param columns its fields, as expressions over the frame
 * @param rows estimated number of rows
 * @param order order of its rows
 */
public record PlannedRelation(
    Operator operator, List<Expression> columns, double rows, ProvidedOrder order) {
  public PlannedRelation {
    columns = List.copyOf(columns);
    operator.expect(rows);
  }

  /** Returns a relation with another operator and rows in the same order. */
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

  /** Returns true if the rows are ordered by keys over the columns. */
  public boolean isOrderedBy(List<RequiredOrder.Key> keys) {
    return order.isBy(keys, columns);
  }
}
