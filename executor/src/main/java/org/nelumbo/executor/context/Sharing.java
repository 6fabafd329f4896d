package org.nelumbo.executor.context;

import org.nelumbo.executor.lock.remote.ClusterLocks;

/**
 * Whether other compute nodes may have the pool, too, and this one's part in the locks of all. It
 * may begin at any moment; from then on it stays so. Thread-safe.
 */
public final class Sharing {
  private volatile ClusterLocks locks;

  /** Whether others may have the pool, too. */
  public boolean isShared() {
    return locks != null;
  }

  /** Locks that live on all compute nodes; null as long as this one has the pool alone. */
  public ClusterLocks locks() {
    return locks;
  }

  /** From now on others may have the pool, too. */
  public void begin(ClusterLocks locksOfAll) {
    locks = locksOfAll;
  }
}
