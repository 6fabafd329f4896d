package org.nelumbo.executor.cache;

import java.util.function.LongPredicate;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The copies of rows and leaves whose locks a compute node grants. The key of a lock is the address
 * of a leaf, or next to it, or the LOTUS key of a row. One LOTUS key in 65,536 could be an address,
 * too: then both copies are dropped.
 */
final class OwnedCopiesOfAll implements OwnedCopies {
  private static final long LEAF_MASK = -64L;

  private final CvtCache cvts;
  private final OwnedLeaves leaves;

  OwnedCopiesOfAll(CvtCache cvts, OwnedLeaves leaves) {
    this.cvts = cvts;
    this.leaves = leaves;
  }

  private static boolean mayBeOfLeaf(long key) {
    return key >>> PoolAddress.BITS == 0;
  }

  @Override
  public void written(long key) {
    if (mayBeOfLeaf(key)) {
      leaves.drop(key & LEAF_MASK);
    }
    cvts.written(key);
  }

  @Override
  public void forget(long key) {
    if (mayBeOfLeaf(key)) {
      leaves.drop(key & LEAF_MASK);
    }
    cvts.forget(key);
  }

  @Override
  public long address(long key) {
    return cvts.address(key);
  }

  @Override
  public void forgetShards(LongPredicate keys) {
    leaves.forgetShards(keys);
    cvts.forgetShards(keys);
  }

  /** Reads of leaves are kept only under their locks. */
  @Override
  public void renew() {
    cvts.renew();
  }
}
