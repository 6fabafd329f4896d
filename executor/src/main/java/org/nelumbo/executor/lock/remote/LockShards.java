package org.nelumbo.executor.lock.remote;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * Maps lock keys to shards (LOTUS section 4.2): the low 12 bits of a LOTUS key or of the hash of a
 * unique value. Leaves of indexes are locked by their addresses, whose low bits are all alike; the
 * leaves in one 64 KiB of the pool share one shard.
 */
public final class LockShards {
  public static final int COUNT = 1 << 12;

  private static final int LEAF_REGION_BITS = 16;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private LockShards() {}

  /** Returns the shard of a key. */
  public static int of(long key) {
    return key >>> PoolAddress.BITS != 0 ? (int) key & COUNT - 1 : ofLeaf(key);
  }

  private static int ofLeaf(long address) {
    return (int) ((address >>> LEAF_REGION_BITS) * SPREAD >>> 52);
  }
}
