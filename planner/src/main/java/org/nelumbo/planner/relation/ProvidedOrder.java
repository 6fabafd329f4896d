package org.nelumbo.planner.relation;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.basic.SortKey;

/**
 * The order in which an operator returns its rows. This is a property of the operator, independent
 * of any required order; {@link #isBy} compares it with a required one.
 *
 * @param keys expressions over the frame by which the rows are ordered
 * @param constants expressions that have the same value in all rows
 * @param single whether there is at most one row, which satisfies every order
 */
public record ProvidedOrder(List<SortKey> keys, List<Expression> constants, boolean single) {
  public static final ProvidedOrder NONE = new ProvidedOrder(List.of(), List.of(), false);

  /** The order of at most one row. */
  public static final ProvidedOrder SINGLE = new ProvidedOrder(List.of(), List.of(), true);

  public ProvidedOrder {
    keys = List.copyOf(keys);
    constants = List.copyOf(constants);
  }

  /** Returns the order by sort keys. */
  public static ProvidedOrder of(List<SortKey> keys) {
    return new ProvidedOrder(keys, List.of(), false);
  }

  /** Returns true if there are keys. */
  public boolean isSorted() {
    return !keys.isEmpty();
  }

  /** Returns the part of this order that remains valid when the rows are reordered. */
  ProvidedOrder unsorted() {
    return new ProvidedOrder(List.of(), constants, single);
  }

  /**
   * Returns true if rows in this order are also ordered by the required keys over their columns.
   */
  boolean isBy(List<RequiredOrder.Key> required, List<Expression> columns) {
    int matched = 0;
    for (RequiredOrder.Key key : required) {
      if (single) {
        return true;
      }
      Expression column = key.field() < columns.size() ? columns.get(key.field()) : null;
      if (indexOf(constants, column) >= 0) {
        continue;
      }
      if (column == null
          || matched == keys.size()
          || !isSame(keys.get(matched), key.over(column))) {
        return false;
      }
      matched++;
    }
    return true;
  }

  private static boolean isSame(SortKey one, SortKey other) {
    return one.expression() == other.expression()
        && one.descending() == other.descending()
        && one.nullsFirst() == other.nullsFirst();
  }

  /**
   * Returns the order of rows that may each occur several times, joined with different other rows.
   */
  public ProvidedOrder repeated(List<Expression> columns) {
    return single ? new ProvidedOrder(List.of(), columns, false) : this;
  }

  /** Returns this order in terms of copies of the columns. */
  ProvidedOrder copied(List<Expression> columns, List<Expression> copies) {
    List<SortKey> copiedKeys = new ArrayList<>();
    for (SortKey key : keys) {
      int column = indexOf(columns, key.expression());
      if (column < 0) {
        break;
      }
      copiedKeys.add(new SortKey(copies.get(column), key.descending(), key.nullsFirst()));
    }
    List<Expression> copiedConstants = new ArrayList<>();
    for (int column = 0; column < columns.size(); column++) {
      if (indexOf(constants, columns.get(column)) >= 0) {
        copiedConstants.add(copies.get(column));
      }
    }
    return new ProvidedOrder(copiedKeys, copiedConstants, single);
  }

  private static int indexOf(List<Expression> columns, Expression column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i) == column) {
        return i;
      }
    }
    return -1;
  }
}
