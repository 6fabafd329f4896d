package org.nelumbo.planner.modify;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.access.PointGet;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * Column values of a changed row that are determined by parameters and constants before the
 * statement runs. Immutable.
 */
final class KnownColumnValues {
  static final KnownColumnValues NONE = new KnownColumnValues(new Expression[0]);

  private final Expression[] values;

  private KnownColumnValues(Expression[] values) {
    this.values = values;
  }

  /**
   * Returns the primary key values if the row is found by them.
   *
   * @param source operator that finds the changed rows
   * @param row the frame's row that holds them
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

  /** Returns these values after an assignment of columns. */
  KnownColumnValues with(int[] columns, Expression[] assigned) {
    Expression[] changed = values.clone();
    for (int i = 0; i < columns.length; i++) {
      changed[columns[i]] = ifGiven(assigned[i]);
    }
    return new KnownColumnValues(changed);
  }

  /** Returns the values of some columns, or null unless all are known. */
  Expression[] of(int[] columns) {
    if (!Arrays.stream(columns).allMatch(i -> i < values.length && values[i] != null)) {
      return null;
    }
    return Arrays.stream(columns).mapToObj(i -> values[i]).toArray(Expression[]::new);
  }
}
