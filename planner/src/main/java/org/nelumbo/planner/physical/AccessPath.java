package org.nelumbo.planner.physical;

import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.access.RangeBound;
import org.nelumbo.executor.table.IndexStore;

/**
 * A way to read a table: what the key decides. What is left over are the conjuncts not in {@code
 * decided}.
 *
 * @param keys POINT: one key; MULTI: all keys; a value for each primary key column
 * @param index RANGE: the index
 * @param equals RANGE: values of its first columns; a null element means IS NULL
 * @param in RANGE: values of the column after these, each scanned for in turn; null if none
 * @param decided conjuncts that need not be checked again
 * @param rows about how many rows it gives
 * @param cost by which ways are compared
 * @param ordered whether the rows come in the wanted order
 */
record AccessPath(
    Kind kind,
    Expression[][] keys,
    IndexStore index,
    Expression[] equals,
    Expression[] in,
    RangeBound lower,
    RangeBound upper,
    boolean ascending,
    BitSet decided,
    double rows,
    double cost,
    boolean ordered) {
  enum Kind {
    POINT,
    MULTI,
    RANGE,
    FULL
  }

  /** Whether the key says anything at all. */
  boolean isKeyed() {
    return kind == Kind.POINT
        || kind == Kind.MULTI
        || kind == Kind.RANGE
            && (equals.length > 0 || in != null || lower != null || upper != null);
  }

  /**
   * Whether it is worth taking for each of many rows: its keys depend on the first fields, or it
   * gives one row.
   */
  boolean isBoundBy(List<RexNode> conjuncts, int fields) {
    if (!isKeyed()) {
      return false;
    }
    boolean depends = false;
    for (int i = decided.nextSetBit(0); i >= 0; i = decided.nextSetBit(i + 1)) {
      ImmutableBitSet refers = Conjuncts.fields(conjuncts.get(i));
      depends |= !refers.isEmpty() && refers.nth(0) < fields;
    }
    return depends || rows <= 1;
  }

  static AccessPath point(Expression[] key, BitSet decided) {
    return new AccessPath(
        Kind.POINT,
        new Expression[][] {key},
        null,
        null,
        null,
        null,
        null,
        true,
        decided,
        1,
        1,
        true);
  }

  static AccessPath multi(Expression[][] keys, BitSet decided) {
    return new AccessPath(
        Kind.MULTI,
        keys,
        null,
        null,
        null,
        null,
        null,
        true,
        decided,
        keys.length,
        keys.length,
        false);
  }

  static AccessPath full(double rows, double cost) {
    return new AccessPath(
        Kind.FULL, null, null, null, null, null, null, true, new BitSet(), rows, cost, false);
  }
}
