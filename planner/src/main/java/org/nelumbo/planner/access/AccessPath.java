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
 * A way to read a table, with the part of the condition that its key decides. The conjuncts not in
 * {@code decided} still have to be checked.
 *
 * @param keys one key for POINT, all keys for MULTI, each with a value per primary key column; else
 *     null
 * @param range the range of an index for RANGE; else null
 * @param decided conjuncts that need not be checked again
 * @param rows estimated number of rows
 * @param cost estimated cost, by which paths are compared, see {@link CostModel}
 * @param ordered whether the rows have the required order
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
   * @param in values of the next column, each of which is scanned in turn; null if there are none
   * @param lower lower bound of the column after the fixed ones; null if there is none
   * @param upper upper bound of the column after the fixed ones; null if there is none
   */
  public record IndexRange(
      IndexStore index,
      Expression[] equals,
      Expression[] in,
      RangeBound lower,
      RangeBound upper,
      boolean ascending) {
    /** Returns true if the range is not the whole index. */
    boolean isBounded() {
      return equals.length > 0 || in != null || lower != null || upper != null;
    }
  }

  /** Creates a path to one row by its full primary key. */
  static AccessPath point(Expression[] key, BitSet decided) {
    return new AccessPath(Kind.POINT, new Expression[][] {key}, null, decided, 1, 1, true);
  }

  /** Creates a path to several rows, each by its full primary key. */
  static AccessPath multi(Expression[][] keys, BitSet decided) {
    return new AccessPath(Kind.MULTI, keys, null, decided, keys.length, keys.length, false);
  }

  /** Creates a path to the rows of an index range. */
  static AccessPath range(
      IndexRange range, BitSet decided, double rows, double cost, boolean ordered) {
    return new AccessPath(Kind.RANGE, null, range, decided, rows, cost, ordered);
  }

  /** Creates a path to all rows of the table. */
  static AccessPath full(double rows, double cost) {
    return new AccessPath(Kind.FULL, null, null, new BitSet(), rows, cost, false);
  }

  /** Returns true if the path uses a key or a bounded range. */
  public boolean isKeyed() {
    return kind == Kind.POINT || kind == Kind.MULTI || kind == Kind.RANGE && range.isBounded();
  }

  /**
   * Returns true if the path is suitable for a lookup per outer row: its keys depend on the first
   * fields, or it reads at most one row.
   */
  public boolean isBoundBy(List<RexNode> conjuncts, int fields) {
    return dependsOn(conjuncts, fields) || isKeyed() && rows <= 1;
  }

  /** Returns true if its keys depend on the first fields. */
  public boolean dependsOn(List<RexNode> conjuncts, int fields) {
    boolean depends = false;
    for (int i = decided.nextSetBit(0); i >= 0; i = decided.nextSetBit(i + 1)) {
      ImmutableBitSet refers = Conjuncts.fields(conjuncts.get(i));
      depends |= !refers.isEmpty() && refers.nth(0) < fields;
    }
    return depends && isKeyed();
  }
}
