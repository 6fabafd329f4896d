package org.nelumbo.executor.lock;

import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The two locks of an index leaf, whose keys have the same shard. The first one, whose key is the
 * address of the leaf, excludes phantoms, and may be held until the transaction ends. The second
 * one, the <i>change lock</i>, excludes other changes of the leaf's memory in a shared pool. It is
 * held by one thread at a time, in mode WRITE, and only while that thread waits for verbs. So it is
 * waited for whatever the ages of the transactions and the conflict policy are.
 */
public final class LeafKeys {
  private static final long CHANGE = 1;

  /** A leaf begins at a multiple of 64 bytes, and not at the beginning of the pool. */
  private static final long ALIGNMENT = SizeClass.alignment(TreeNodeLayout.SIZE_CLASS);

  private LeafKeys() {}

  /** Returns true if the key of a scan lock is the address of a leaf, and not that of a table. */
  public static boolean isLeaf(long key) {
    return key >>> PoolAddress.BITS == 0 && key >= ALIGNMENT && (key & ALIGNMENT - 1) == 0;
  }

  /** Returns the key of the change lock of a leaf. */
  public static long change(long leaf) {
    return leaf | CHANGE;
  }

  /**
   * Returns true if a key may be that of a change lock. The LOTUS key of one row in four million
   * looks the same, so this must not decide whether a transaction waits for a lock.
   */
  public static boolean isChange(long key) {
    return key >>> PoolAddress.BITS == 0 && key > ALIGNMENT && (key & ALIGNMENT - 1) == CHANGE;
  }
}
