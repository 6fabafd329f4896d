package org.nelumbo.executor.op.access;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.txn.Transaction;

/** NOWAIT: while the child runs, a lock held by another transaction is an error (55P03). */
public final class NoWait extends UnaryOperator {
  private Transaction transaction;

  public NoWait(Operator child) {
    super(child);
  }

  @Override
  public void open(Frame frame, Transaction newTransaction) {
    transaction = newTransaction;
    transaction.setNoWait(true);
    try {
      child.open(frame, newTransaction);
    } finally {
      transaction.setNoWait(false);
    }
  }

  @Override
  public boolean next() {
    transaction.setNoWait(true);
    try {
      return child.next();
    } finally {
      transaction.setNoWait(false);
    }
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return null;
  }

  @Override
  public Operator copy(Copier copier) {
    return new NoWait(copier.copy(child));
  }

  @Override
  public String explain() {
    return "NoWait";
  }
}
