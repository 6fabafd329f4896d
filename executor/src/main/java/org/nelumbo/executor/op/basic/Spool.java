package org.nelumbo.executor.op.basic;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.op.spill.RowFile;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * Reads all rows of the child before it returns the first one, so that later changes cannot
 * influence the set of rows (the Halloween problem). Rows beyond the statement's memory are written
 * to a temporary file.
 */
public final class Spool extends UnaryOperator {
  private Frame frame;
  private MaterializedRows rows;

  private RowFile file;

  private int position;

  public Spool(Operator child) {
    super(child);
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (rows == null) {
      rows = new MaterializedRows(child.output(), newFrame, "a copy of the rows");
    }
    release();
    child.open(newFrame, transaction);
    while (child.next()) {
      newFrame.limits().work(1);
      add();
    }
    child.close();
    if (file != null) {
      file.rewind();
    }
  }

  private void add() {
    if (file == null && !rows.tryAdd(frame)) {
      file = new RowFile(child.output(), frame);
    }
    if (file != null) {
      file.write(frame);
    }
  }

  @Override
  public boolean next() {
    if (rows != null && position < rows.size()) {
      rows.restore(position++, frame);
      return true;
    }
    if (file == null || !file.next()) {
      return false;
    }
    file.show(frame);
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
    release();
  }

  private void release() {
    if (rows != null) {
      rows.release();
    }
    if (file != null) {
      file.close();
      file = null;
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
