package org.nelumbo.executor.op;

import org.nelumbo.executor.expr.CompareOp;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * Looks for rows that refer to keys where no index leads to them: one scan of the table for many
 * keys. Not thread-safe.
 */
final class ReferenceScan {
  private final Operator rows;
  private final Expression[] columns;
  private final Expression[] keys;
  private final ValueKeys rowValues;
  private final ValueKeys keyValues;
  private final KeyBuffer buffer = new KeyBuffer();
  private final ByteTable wanted = new ByteTable();
  private final ByteTable referred = new ByteTable();

  /** Whether all rows have been seen since the keys were given. */
  private boolean complete;

  /**
   * A scan.
   *
   * @param rows all rows of the referring table
   * @param columns the foreign key's columns in such a row
   * @param keys what they refer to
   */
  ReferenceScan(Operator rows, Expression[] columns, Expression[] keys) {
    this.rows = rows;
    this.columns = columns;
    this.keys = keys;
    this.rowValues = new ValueKeys(JoinKeys.align(columns, keys));
    this.keyValues = new ValueKeys(JoinKeys.align(keys, columns));
  }

  /** Finds the rows that refer to the key that the frame shows. */
  Operator probe() {
    Expression[] tests = new Expression[columns.length];
    for (int i = 0; i < tests.length; i++) {
      tests[i] = Expressions.compare(CompareOp.EQ, columns[i], keys[i]);
    }
    return new Filter(Operator.Copier.PLAIN.copy(rows), Expressions.and(tests));
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

  /** Forgets keys and answers; ends what may be left open. */
  void clear() {
    rows.close();
    wanted.clear();
    referred.clear();
    complete = false;
  }

  ReferenceScan copy() {
    return new ReferenceScan(Operator.Copier.PLAIN.copy(rows), columns, keys);
  }
}
