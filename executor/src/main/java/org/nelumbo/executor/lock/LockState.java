package org.nelumbo.executor.lock;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * A lock that a transaction holds or waits for.
 *
 * @param key a LOTUS key, the hash of a unique value, or the address of an index leaf
 * @param mode the mode that is held or requested
 * @param cvt address of the CVT of the key's row, NULL if unknown
 * @param granted false while the transaction waits for the lock
 */
public record LockState(long key, LockMode mode, long cvt, boolean granted) {
  /**
   * Returns true if the lock is on a leaf of an ordered index, which blocks inserts into scanned
   * ranges. One row in 65,536 has a key that looks like the address of a leaf, and is taken for a
   * leaf as long as its CVT is unknown.
   */
  public boolean isLeaf() {
    return key >>> PoolAddress.BITS == 0 && cvt == PoolAddress.NULL;
  }
}
