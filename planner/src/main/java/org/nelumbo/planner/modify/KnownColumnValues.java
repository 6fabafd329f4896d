package org.nelumbo.planner.modify;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.access.PointGet;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * Values of the columns of a row that a statement changes, as far as its parameters and constants
 * tell them before it runs. Immutable.
 */
final class KnownColumnValues {
  static final KnownColumnValues NONE = new KnownColumnValues(new Expression[0]);

  /** Of each column; null where nothing is known. */
  private final Expression[] values;

  private KnownColumnValues(Expression[] values) {
    this.values = values;
  }

  /**
   * The primary key, if the one row is found by it.
   *
   * @param source finds the rows to be changed
   * @param row the frame's row that shows them
   */
  static KnownColumnValues of(TableEntry table, Operator source, int row) {
    Expression[] values = new Expression[table.store().layout().columnCount()];
    if (source instanceof PointGet get && get.row() == row) {
      int[] key = table.schema().primaryKey();
      for (int i = 0; i < key.length; i++) {
        values[key[i]] = ifGiven(get.key(i));
      }
    } else if (source.children().size() == 1) {
      return of(table, source.children().getFirst(), row);
    }
    return new KnownColumnValues(values);
  }

  private static Expression ifGiven(Expression value) {
    return Expressions.isGiven(value) ? value : null;
  }

  /** The row with some columns set. */
  KnownColumnValues with(int[] columns, Expression[] assigned) {
    Expression[] changed = values.clone();
    for (int i = 0; i < columns.length; i++) {
      changed[columns[i]] = ifGiven(assigned[i]);
    }
    return new KnownColumnValues(changed);
  }

  /** Values of some columns; null unless all are known. */
  Expression[] of(int[] columns) {
    if (!Arrays.stream(columns).allMatch(i -> i < values.length && values[i] != null)) {
      return null;
    }
    return Arrays.stream(columns).mapToObj(i -> values[i]).toArray(Expression[]::new);
  }
}
