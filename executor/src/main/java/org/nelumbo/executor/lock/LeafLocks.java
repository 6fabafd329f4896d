package org.nelumbo.executor.lock;

import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.executor.cache.OwnedLeaves;

/**
 * The locks on leaves of ordered indexes, for one transaction after another. In a shared pool,
 * whoever changes a leaf also has its change lock ({@link LeafKeys}).
 */
final class LeafLocks implements LeafGuard {
  private final LockTable table;
  private final LockSet held;
  private final LockDispatcher dispatcher;
  private final OwnedLeaves images;

  LeafLocks(LockTable table, LockSet held, LockDispatcher dispatcher, OwnedLeaves images) {
    this.images = images;
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

  @Override
  public boolean excludesChanges() {
    return dispatcher.isShared();
  }

  /**
   * {@inheritDoc}
   *
   * <p>A leaf that this transaction has scanned itself is locked for writing and stays locked,
   * since the transaction has to be the only scanner. Any other leaf is locked in mode CHANGE, or
   * in mode INSERT in an exclusive pool, until the entry is added. So is the scan lock of a table,
   * always in mode INSERT.
   */
  @Override
  public boolean enterInsert(long leafAddress) {
    held.setInserting(false);
    int entry = held.find(table.identity(leafAddress));
    if (entry < 0) {
      return dispatcher.enter(leafAddress, insertMode(leafAddress));
    }
    if (held.mode(entry) != LockMode.WRITE && dispatcher.upgrade(entry) != LockResult.GRANTED) {
      return false;
    }
    if (LeafKeys.isLeaf(leafAddress) && !enterChange(leafAddress)) {
      dispatcher.failChange(leafAddress);
      return false;
    }
    return true;
  }

  private LockMode insertMode(long key) {
    return excludesChanges() && LeafKeys.isLeaf(key) ? LockMode.CHANGE : LockMode.INSERT;
  }

  @Override
  public void exitInsert(long leafAddress) {
    if (held.isInserting()) {
      dispatcher.releaseUnrecorded(leafAddress, insertMode(leafAddress));
      held.setInserting(false);
    } else if (LeafKeys.isLeaf(leafAddress)) {
      exitChange(leafAddress);
    }
  }

  @Override
  public boolean tryEnterInsert(long leafAddress) {
    return !holds(leafAddress) && dispatcher.tryAcquire(leafAddress, insertMode(leafAddress), 0);
  }

  @Override
  public void exitTriedInsert(long leafAddress) {
    dispatcher.releaseUnrecorded(leafAddress, insertMode(leafAddress));
  }

  @Override
  public boolean enterChange(long leafAddress) {
    return !excludesChanges() || dispatcher.enterChange(LeafKeys.change(leafAddress));
  }

  @Override
  public boolean tryEnterChange(long leafAddress) {
    return !excludesChanges()
        || dispatcher.tryAcquire(LeafKeys.change(leafAddress), LockMode.WRITE, 0);
  }

  @Override
  public byte[] takeImage(Object index, long leafAddress) {
    return excludesChanges() ? images.take(index, leafAddress) : null;
  }

  @Override
  public void keepImage(Object index, long leafAddress, byte[] bytes) {
    images.keep(index, leafAddress, bytes);
  }

  @Override
  public boolean keepsImage(long leafAddress) {
    return images.isOwned(leafAddress);
  }

  @Override
  public void exitChange(long leafAddress) {
    if (excludesChanges()) {
      dispatcher.releaseUnrecorded(LeafKeys.change(leafAddress), LockMode.WRITE);
    }
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
