package org.nelumbo.executor.op;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * The child's rows whose values of some expressions have not been met before (NULL equals NULL).
 */
public final class Distinct extends Operator {
  private final Operator child;
  private final Expression[] expressions;
  private final ValueKeys keys;
  private final ByteTable seen = new ByteTable();
  private final KeyBuffer key = new KeyBuffer();
  private Frame frame;

  public Distinct(Operator child, Expression[] expressions) {
    this.child = child;
    this.expressions = expressions;
    this.keys = new ValueKeys(expressions);
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
  public Foreseen foreseen() {
    return child.foreseen();
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
  public FrameSet output() {
    return child.output();
  }

  @Override
  public String explain() {
    return "Distinct(" + Explain.list(expressions) + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of(child);
  }
}
