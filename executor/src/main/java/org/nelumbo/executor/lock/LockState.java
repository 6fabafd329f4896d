package org.nelumbo.executor.lock;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * A lock that a transaction holds or waits for.
 *
 * @param key a LOTUS key, the hash of a unique value, or the address of an index leaf
 * @param mode in which it is held or wanted
 * @param cvt where the row of the key was found, NULL if that is not known
 * @param granted false while it is being waited for
 */
public record LockState(long key, LockMode mode, long cvt, boolean granted) {
  /** Whether it locks a leaf of an ordered index, which keeps inserts out of scanned ranges. */
  public boolean isLeaf() {
    return key >>> PoolAddress.BITS == 0;
  }
}
