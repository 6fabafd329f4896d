package org.nelumbo.planner.access;

import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.access.RangeBound;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.rex.Conjuncts;

/**
 * A way to read a table: what the key decides. What is left over are the conjuncts not in {@code
 * decided}.
 *
 * @param keys POINT: one key; MULTI: all keys; a value for each primary key column; else null
 * @param range RANGE: which part of which index; else null
 * @param decided conjuncts that need not be checked again
 * @param rows about how many rows it gives
 * @param cost by which ways are compared, see {@link CostModel}
 * @param ordered whether the rows come in the wanted order
 */
public record AccessPath(
    Kind kind,
    Expression[][] keys,
    IndexRange range,
    BitSet decided,
    double rows,
    double cost,
    boolean ordered) {
  public enum Kind {
    POINT,
    MULTI,
    RANGE,
    FULL
  }

  /**
   * A range of an index.
   *
   * @param equals values of its first columns; a null element means IS NULL
   * @param in values of the column after these, each scanned for in turn; null if none
   * @param lower bound of the column after the fixed ones; null if none
   * @param upper bound of the column after the fixed ones; null if none
   */
  public record IndexRange(
      IndexStore index,
      Expression[] equals,
      Expression[] in,
      RangeBound lower,
      RangeBound upper,
      boolean ascending) {
    /** Whether it is not all of the index. */
    boolean isBounded() {
      return equals.length > 0 || in != null || lower != null || upper != null;
    }
  }

  /** One row, by its whole primary key. */
  static AccessPath point(Expression[] key, BitSet decided) {
    return new AccessPath(Kind.POINT, new Expression[][] {key}, null, decided, 1, 1, true);
  }

  /** Several rows, each by its whole primary key. */
  static AccessPath multi(Expression[][] keys, BitSet decided) {
    return new AccessPath(Kind.MULTI, keys, null, decided, keys.length, keys.length, false);
  }

  /** The rows of a range of an index. */
  static AccessPath range(
      IndexRange range, BitSet decided, double rows, double cost, boolean ordered) {
    return new AccessPath(Kind.RANGE, null, range, decided, rows, cost, ordered);
  }

  /** All rows of the table. */
  static AccessPath full(double rows, double cost) {
    return new AccessPath(Kind.FULL, null, null, new BitSet(), rows, cost, false);
  }

  /** Whether the key says anything at all. */
  public boolean isKeyed() {
    return kind == Kind.POINT || kind == Kind.MULTI || kind == Kind.RANGE && range.isBounded();
  }

  /**
   * Whether it is worth taking for each of many rows: its keys depend on the first fields, or it
   * gives one row.
   */
  public boolean isBoundBy(List<RexNode> conjuncts, int fields) {
    return dependsOn(conjuncts, fields) || isKeyed() && rows <= 1;
  }

  /** Whether its keys depend on the first fields. */
  public boolean dependsOn(List<RexNode> conjuncts, int fields) {
    boolean depends = false;
    for (int i = decided.nextSetBit(0); i >= 0; i = decided.nextSetBit(i + 1)) {
      ImmutableBitSet refers = Conjuncts.fields(conjuncts.get(i));
      depends |= !refers.isEmpty() && refers.nth(0) < fields;
    }
    return depends && isKeyed();
  }
}
