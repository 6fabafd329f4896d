package org.nelumbo.executor.op;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.Anticipation;
import org.nelumbo.executor.txn.Transaction;

/** The child's rows for which a condition is TRUE. */
public final class Filter extends UnaryOperator {
  private final Expression condition;
  private Frame frame;

  public Filter(Operator child, Expression condition) {
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
      if (condition.isTrue(frame)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void anticipate(Frame present, Anticipation anticipation) {
    child.anticipate(present, anticipation);
  }

  @Override
  public Operator copy(Copier copier) {
    return new Filter(copier.copy(child), condition);
  }

  @Override
  public String explain() {
    return "Filter(" + condition + ")";
  }
}
