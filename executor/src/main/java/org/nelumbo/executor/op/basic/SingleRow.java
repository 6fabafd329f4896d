package org.nelumbo.executor.op.basic;

import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.txn.Transaction;

/**
 * Returns one row without columns: the source of {@code SELECT 1}, and of INSERT ... VALUES with
 * one row.
 */
public final class SingleRow extends Operator {
  private boolean done = true;

  @Override
  public void open(Frame frame, Transaction transaction) {
    done = false;
  }

  @Override
  public boolean next() {
    boolean first = !done;
    done = true;
    return first;
  }

  @Override
  public boolean readsNothing() {
    return true;
  }

  @Override
  public void close() {
    done = true;
  }

  @Override
  public Operator copy(Copier copier) {
    return new SingleRow();
  }

  @Override
  public FrameFields output() {
    return FrameFields.EMPTY;
  }

  @Override
  public String explain() {
    return "SingleRow";
  }

  @Override
  public List<Operator> children() {
    return List.of();
  }
}
