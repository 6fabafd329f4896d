package org.nelumbo.executor.op.modify;

import org.nelumbo.executor.expr.CompareOp;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.basic.RowFilter;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.KeyTypeAlignment;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * Looks for rows that refer to given keys, by one scan of the referring table for many keys: used
 * where no index leads to these rows. Not thread-safe.
 */
final class ForeignKeyScan {
  private final Operator rows;
  private final Expression[] columns;
  private final Expression[] keys;
  private final NormalizedKeyCodec rowValues;
  private final NormalizedKeyCodec keyValues;
  private final KeyBuffer buffer = new KeyBuffer();
  private final BytesHashTable wanted = new BytesHashTable();
  private final BytesHashTable referred = new BytesHashTable();

  /** Whether all rows have been seen since the keys were given. */
  private boolean complete;

  /**
   * A scan of the referring table.
   *
   * @param rows all rows of the referring table
   * @param columns the foreign key's columns in such a row
   * @param keys what they refer to
   */
  ForeignKeyScan(Operator rows, Expression[] columns, Expression[] keys) {
    this.rows = rows;
    this.columns = columns;
    this.keys = keys;
    this.rowValues = new NormalizedKeyCodec(KeyTypeAlignment.align(columns, keys));
    this.keyValues = new NormalizedKeyCodec(KeyTypeAlignment.align(keys, columns));
  }

  /** Finds the rows that refer to the key that the frame shows. */
  Operator probe() {
    Expression[] tests = new Expression[columns.length];
    for (int i = 0; i < tests.length; i++) {
      tests[i] = Expressions.compare(CompareOp.EQ, columns[i], keys[i]);
    }
    return new RowFilter(Operator.Copier.PLAIN.copy(rows), Expressions.and(tests));
  }

  /** Adds the key that the frame shows, of which no value is NULL. */
  void add(Frame frame) {
    if (complete) {
      clear();
    }
    keyValues.encode(frame, buffer);
    wanted.add(buffer.bytes, 0, buffer.length);
  }

  /** Reads all rows, or as many as it takes to see all keys referred to. */
  void run(Frame frame, Transaction transaction) {
    rows.open(frame, transaction);
    while (referred.size() < wanted.size() && rows.next()) {
      frame.limits().work(1);
      boolean anyNull = rowValues.encode(frame, buffer);
      if (!anyNull && wanted.find(buffer.bytes, 0, buffer.length) >= 0) {
        referred.add(buffer.bytes, 0, buffer.length);
      }
    }
    rows.close();
    complete = true;
  }

  /** Whether the key that the frame shows was among those given, and no row referred to it. */
  boolean isFree(Frame frame) {
    keyValues.encode(frame, buffer);
    return complete
        && wanted.find(buffer.bytes, 0, buffer.length) >= 0
        && referred.find(buffer.bytes, 0, buffer.length) < 0;
  }

  /** Forgets the keys and what was found; ends what may be left open. */
  void clear() {
    rows.close();
    wanted.clear();
    referred.clear();
    complete = false;
  }

  ForeignKeyScan copy() {
    return new ForeignKeyScan(Operator.Copier.PLAIN.copy(rows), columns, keys);
  }
}
