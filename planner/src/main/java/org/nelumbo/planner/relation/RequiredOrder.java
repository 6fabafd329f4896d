package org.nelumbo.planner.relation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.basic.SortKey;

/**
 * The order in which rows are wanted, and how many of them. An order that cannot be had for free is
 * not provided, and then sorted for above.
 *
 * @param keys fields to be ordered by; empty if any order will do
 * @param limit a BIGINT expression for how many rows will be taken at most, null if all
 */
public record RequiredOrder(List<Key> keys, Expression limit) {
  public static final RequiredOrder NOTHING = new RequiredOrder(List.of(), null);

  /** A field to order by; NULLs are at the low end unless {@code nullsHigh}. */
  public record Key(int field, boolean descending, boolean nullsHigh) {
    /** Returns the sort key for the column that the field is. */
    public SortKey over(Expression column) {
      return new SortKey(column, descending, descending == nullsHigh);
    }
  }

  public boolean isOrdered() {
    return !keys.isEmpty();
  }

  /**
   * About how many rows of an input are looked at, if it comes in this order: where only the first
   * are wanted, a share of them, but a page of results at least.
   */
  public double wantedOf(PlannedRelation input, double share) {
    return limit == null || !input.isOrderedBy(keys)
        ? input.rows()
        : Math.min(input.rows(), Math.max(CostModel.LIMITED_ROWS, share * input.rows()));
  }

  /**
   * The order that is wanted of the input of a node; {@code field} tells where a field comes from,
   * -1: it is computed there, then nothing is wanted.
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
