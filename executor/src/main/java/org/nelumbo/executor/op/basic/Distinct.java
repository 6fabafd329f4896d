package org.nelumbo.executor.op.basic;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.op.spill.SpilledRows;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * Passes the child's rows whose values of given expressions have not occurred before (NULL equals
 * NULL). If there is no memory for more values, rows with new values are written to temporary files
 * and processed after the others.
 */
public final class Distinct extends UnaryOperator {
  private final Expression[] expressions;
  private final NormalizedKeyCodec keys;
  private final KeyBuffer key = new KeyBuffer();
  private BytesHashTable seen;
  private SpilledRows spilled;
  private Frame frame;

  public Distinct(Operator child, Expression[] expressions) {
    super(child);
    this.expressions = expressions;
    this.keys = new NormalizedKeyCodec(expressions);
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (seen == null) {
      seen = new BytesHashTable(newFrame.limits().newAccount("DISTINCT"));
      spilled = new SpilledRows(child.output(), newFrame, "DISTINCT");
    }
    release();
    child.open(newFrame, transaction);
  }

  @Override
  public boolean next() {
    do {
      while (spilled.isReading() ? spilled.next() : child.next()) {
        if (isNew()) {
          return true;
        }
      }
      seen.clear();
    } while (spilled.nextPart());
    return false;
  }

  private boolean isNew() {
    frame.limits().work(1);
    keys.encode(frame, key);
    if (spilled.isWriting()) {
      if (seen.find(key.bytes, 0, key.length) < 0) {
        spilled.write(key);
      }
      return false;
    }
    if (seen.tryFindOrAdd(key.bytes, 0, key.length) == BytesHashTable.NO_MEMORY) {
      spilled.write(key);
      return false;
    }
    return seen.lastAdded();
  }

  @Override
  public boolean readsNothing() {
    return child.readsNothing();
  }

  @Override
  public void close() {
    child.close();
    if (seen != null) {
      release();
    }
  }

  private void release() {
    seen.release();
    spilled.close();
  }

  @Override
  public Operator copy(Copier copier) {
    return new Distinct(copier.copy(child), expressions);
  }

  @Override
  public String explain() {
    return "Distinct(" + ExplainFormat.list(expressions) + ")";
  }
}
