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
 * Searches for rows that refer to given keys by one scan of the referring table for many keys. Used
 * if no index leads to these rows. Not thread-safe.
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

  private boolean complete;

  /**
   * Creates a scan of the referring table.
   *
   * @param rows operator that returns all rows of the referring table
   * @param columns columns of the foreign key in such a row
   * @param keys referenced values
   */
  ForeignKeyScan(Operator rows, Expression[] columns, Expression[] keys) {
    this.rows = rows;
    this.columns = columns;
    this.keys = keys;
    this.rowValues = new NormalizedKeyCodec(KeyTypeAlignment.align(columns, keys));
    this.keyValues = new NormalizedKeyCodec(KeyTypeAlignment.align(keys, columns));
  }

  /** Returns an operator that finds the rows that refer to the frame's key. */
  Operator probe() {
    Expression[] tests = new Expression[columns.length];
    for (int i = 0; i < tests.length; i++) {
      tests[i] = Expressions.compare(CompareOp.EQ, columns[i], keys[i]);
    }
    return new RowFilter(Operator.Copier.PLAIN.copy(rows), Expressions.and(tests));
  }

  /** Adds the frame's key, which contains no NULL. */
  void add(Frame frame) {
    if (complete) {
      clear();
    }
    keyValues.encode(frame, buffer);
    wanted.add(buffer.bytes, 0, buffer.length);
  }

  /** Reads the rows, until the end or until all keys are known to be referenced. */
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

  /** Returns true if the frame's key was among the added ones and no row refers to it. */
  boolean isFree(Frame frame) {
    keyValues.encode(frame, buffer);
    return complete
        && wanted.find(buffer.bytes, 0, buffer.length) >= 0
        && referred.find(buffer.bytes, 0, buffer.length) < 0;
  }

  /** Removes the keys and the results, and closes the scan. */
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
