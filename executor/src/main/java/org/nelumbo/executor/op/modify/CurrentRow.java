package org.nelumbo.executor.op.modify;

import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.txn.Transaction;

/** The row that the frame shows already, once: the source of a change that is a part of another. */
public final class CurrentRow extends Operator {
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
  public void close() {
    done = true;
  }

  @Override
  public Operator copy(Copier copier) {
    return new CurrentRow();
  }

  @Override
  public FrameFields output() {
    return FrameFields.EMPTY;
  }

  @Override
  public String explain() {
    return "CurrentRow";
  }

  @Override
  public List<Operator> children() {
    return List.of();
  }
}
