package org.nelumbo.executor.op.basic;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * Reads all rows of the child before it passes the first: what is done with them afterwards cannot
 * influence which rows there are (the Halloween problem).
 */
public final class Spool extends UnaryOperator {
  private Frame frame;
  private MaterializedRows rows;
  private int position;

  public Spool(Operator child) {
    super(child);
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (rows == null) {
      rows = new MaterializedRows(child.output(), newFrame.layout());
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
  public void collectHints(Frame present, PrefetchHints prefetchHints) {
    child.collectHints(present, prefetchHints);
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return null;
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
  public String explain() {
    return "Spool";
  }
}
