package org.nelumbo.executor.op.basic;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/** Passes the child's rows for which a condition is TRUE. */
public final class RowFilter extends UnaryOperator {
  private final Expression condition;
  private Frame frame;

  public RowFilter(Operator child, Expression condition) {
    super(child);
    this.condition = condition;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    child.open(newFrame, transaction);
  }

  @Override
  public boolean next() {
    while (child.next()) {
      frame.limits().work(1);
      if (condition.isTrue(frame)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void collectHints(Frame present, PrefetchHints prefetchHints) {
    child.collectHints(present, prefetchHints);
  }

  @Override
  public Operator copy(Copier copier) {
    return new RowFilter(copier.copy(child), condition);
  }

  @Override
  public String explain() {
    return "Filter(" + condition + ")";
  }
}
