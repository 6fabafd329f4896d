package org.nelumbo.executor.lock;

import org.nelumbo.dm.index.LeafGuard;

/** The locks on leaves of ordered indexes, for one transaction after another. */
final class LeafLocks implements LeafGuard {
  private final LockTable table;
  private final LockSet held;
  private final LockDispatcher dispatcher;

  LeafLocks(LockTable table, LockSet held, LockDispatcher dispatcher) {
    this.table = table;
    this.held = held;
    this.dispatcher = dispatcher;
  }

  private boolean acquire(long leafAddress) {
    return dispatcher.acquire(leafAddress, LockMode.READ) == LockResult.GRANTED;
  }

  private boolean holds(long leafAddress) {
    return held.find(table.identity(leafAddress)) >= 0;
  }

  @Override
  public boolean enterScan(long leafAddress) {
    return acquire(leafAddress);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A leaf that this transaction has scanned itself is locked for writing and stays locked,
   * since the transaction has to be the only scanner. Any other leaf is locked in mode INSERT until
   * the entry is added.
   */
  @Override
  public boolean enterInsert(long leafAddress) {
    held.setInserting(false);
    int entry = held.find(table.identity(leafAddress));
    if (entry >= 0) {
      return held.mode(entry) == LockMode.WRITE || dispatcher.upgrade(entry) == LockResult.GRANTED;
    }
    return dispatcher.enter(leafAddress);
  }

  @Override
  public void exitInsert(long leafAddress) {
    if (held.isInserting()) {
      dispatcher.release(leafAddress, LockMode.INSERT);
      held.setInserting(false);
    }
  }

  @Override
  public boolean tryEnterInsert(long leafAddress) {
    return !holds(leafAddress) && dispatcher.tryAcquire(leafAddress, LockMode.INSERT, 0);
  }

  @Override
  public void exitTriedInsert(long leafAddress) {
    dispatcher.release(leafAddress, LockMode.INSERT);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The range of {@code from} that this transaction has scanned belongs to {@code to} from now
   * on.
   */
  @Override
  public boolean passRange(long from, long to) {
    return !holds(from) || acquire(to);
  }

  @Override
  public boolean tryPassRange(long from, long to) {
    if (!holds(from) || holds(to)) {
      return true;
    }
    held.reserve();
    return dispatcher.tryAcquire(to, LockMode.READ, table.identity(to));
  }
}
