package org.nelumbo.planner.relation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.basic.SortKey;

/**
 * The required order of rows, and their maximum number. A node provides the order only if it costs
 * nothing; otherwise a sort is added above it.
 *
 * @param keys fields to order by; empty if any order is acceptable
 * @param limit a BIGINT expression for the maximum number of rows that are read; null for all
 */
public record RequiredOrder(List<Key> keys, Expression limit) {
  public static final RequiredOrder NOTHING = new RequiredOrder(List.of(), null);

  /** A field to order by; NULLs are at the low end unless {@code nullsHigh}. */
  public record Key(int field, boolean descending, boolean nullsHigh) {
    /** Returns the sort key for the column of the field. */
    public SortKey over(Expression column) {
      return new SortKey(column, descending, descending == nullsHigh);
    }
  }

  public boolean isOrdered() {
    return !keys.isEmpty();
  }

  /**
   * Estimates how many rows of an input are read if it has this order. With a limit this is a
   * fraction of the rows, but at least a page of results.
   */
  public double wantedOf(PlannedRelation input, double share) {
    return limit == null || !input.isOrderedBy(keys)
        ? input.rows()
        : Math.min(input.rows(), Math.max(CostModel.LIMITED_ROWS, share * input.rows()));
  }

  /**
   * Returns the order that is required of the input of a node.
   *
   * @param field maps a field to its field in the input, or -1 if it is computed; then no order is
   *     required
   */
  public RequiredOrder mapped(IntUnaryOperator field) {
    List<Key> mapped = new ArrayList<>();
    for (Key key : keys) {
      int source = field.applyAsInt(key.field);
      if (source < 0) {
        return NOTHING;
      }
      mapped.add(new Key(source, key.descending, key.nullsHigh));
    }
    return new RequiredOrder(mapped, limit);
  }
}
