package org.nelumbo.executor.op.basic;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * The child's rows whose values of some expressions have not been met before (NULL equals NULL).
 */
public final class Distinct extends UnaryOperator {
  private final Expression[] expressions;
  private final NormalizedKeyCodec keys;
  private final BytesHashTable seen = new BytesHashTable();
  private final KeyBuffer key = new KeyBuffer();
  private Frame frame;

  public Distinct(Operator child, Expression[] expressions) {
    super(child);
    this.expressions = expressions;
    this.keys = new NormalizedKeyCodec(expressions);
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    seen.clear();
    child.open(newFrame, transaction);
  }

  @Override
  public boolean next() {
    while (child.next()) {
      keys.encode(frame, key);
      if (seen.add(key.bytes, 0, key.length)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean readsNothing() {
    return child.readsNothing();
  }

  @Override
  public void close() {
    child.close();
    seen.clear();
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
