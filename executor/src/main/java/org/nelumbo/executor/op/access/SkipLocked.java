package org.nelumbo.executor.op.access;

import java.util.List;
import java.util.stream.Collectors;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.executor.txn.UnlockedRead;

/**
 * SKIP LOCKED: reads the child's rows without locks, and locks the rows that it passes on. Omits
 * rows that other transactions have locked, or have changed since they were read.
 */
public final class SkipLocked extends UnaryOperator {
  private final List<Target> targets;
  private final KeyBuffer key = new KeyBuffer();
  private Frame frame;
  private Transaction transaction;
  private Transaction readOf;
  private UnlockedRead read;

  /**
   * A table whose rows are locked.
   *
   * @param row frame row that shows the table's row
   * @param lockMode {@link LockMode#READ} or {@link LockMode#WRITE}
   */
  public record Target(TableStore table, int row, LockMode lockMode) {}

  /** Creates an operator that locks the child's rows of the given tables. */
  public SkipLocked(Operator child, List<Target> targets) {
    super(child);
    this.targets = List.copyOf(targets);
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    if (readOf != newTransaction) {
      read = newTransaction.newUnlockedRead();
      readOf = newTransaction;
    }
    read.open();
    read.enter();
    try {
      child.open(newFrame, newTransaction);
    } finally {
      read.leave();
    }
  }

  @Override
  public boolean next() {
    while (nextUnlocked()) {
      frame.limits().work(1);
      if (lock()) {
        return true;
      }
    }
    return false;
  }

  private boolean nextUnlocked() {
    read.enter();
    try {
      return child.next();
    } finally {
      read.leave();
    }
  }

  private boolean lock() {
    for (Target target : targets) {
      target.table.layout().keyOf(frame.row(target.row), key);
      Outcome status = read.lock(target.table, key, target.lockMode);
      if (!OutcomeChecks.found(transaction, status, target.table, key)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return null;
  }

  @Override
  public void close() {
    child.close();
    if (read != null) {
      read.close();
    }
  }

  @Override
  public Operator copy(Copier copier) {
    return new SkipLocked(copier.copy(child), targets);
  }

  @Override
  public String explain() {
    return targets.stream()
        .map(target -> target.table.schema().toString())
        .collect(Collectors.joining(", ", "SkipLocked(", ")"));
  }
}
