package org.nelumbo.executor.lock;

import org.nelumbo.dm.index.LeafGuard;

/** Locks the leaves of ordered indexes for one transaction after another. */
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
   * A leaf this transaction has scanned itself is taken in write mode and kept (it has to be the
   * only scanner); any other is held in insert mode until the entry is in.
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

  /** What this transaction scanned of the one leaf is in the other one from now on. */
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
