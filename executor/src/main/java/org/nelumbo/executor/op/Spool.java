package org.nelumbo.executor.op;

import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.Anticipation;
import org.nelumbo.executor.txn.Transaction;

/**
 * Reads all rows of the child before it passes the first: what is done with them afterwards cannot
 * influence which rows there are (the Halloween problem).
 */
public final class Spool extends Operator {
  private final Operator child;
  private Frame frame;
  private SavedRows rows;
  private int position;

  public Spool(Operator child) {
    this.child = child;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (rows == null) {
      rows = new SavedRows(child.output(), newFrame.shape());
    }
    rows.clear();
    position = 0;
    child.open(newFrame, transaction);
    while (child.next()) {
      rows.add(newFrame);
    }
    child.close();
  }

  @Override
  public boolean next() {
    if (rows == null || position >= rows.size()) {
      return false;
    }
    rows.restore(position++, frame);
    return true;
  }

  @Override
  public void anticipate(Frame present, Anticipation anticipation) {
    child.anticipate(present, anticipation);
  }

  @Override
  public void close() {
    child.close();
    if (rows != null) {
      rows.clear();
    }
    position = 0;
  }

  @Override
  public Operator copy(Copier copier) {
    return new Spool(copier.copy(child));
  }

  @Override
  public FrameSet output() {
    return child.output();
  }

  @Override
  public String explain() {
    return "Spool";
  }

  @Override
  public List<Operator> children() {
    return List.of(child);
  }
}
