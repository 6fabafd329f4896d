package org.nelumbo.executor.context;

import org.nelumbo.executor.lock.remote.ClusterLocks;

/**
 * The state of sharing the pool with other compute nodes, and this node's part in their common
 * locks. Sharing may begin at any time and then lasts. Thread-safe.
 */
public final class Sharing {
  private volatile ClusterLocks locks;

  /** Returns true if other compute nodes may use the pool, too. */
  public boolean isShared() {
    return locks != null;
  }

  /** Returns the locks that span all compute nodes; null while the pool is exclusive. */
  public ClusterLocks locks() {
    return locks;
  }

  /** Begins sharing: from now on other compute nodes may use the pool. */
  public void begin(ClusterLocks locksOfAll) {
    locks = locksOfAll;
  }
}
