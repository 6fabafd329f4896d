package org.nelumbo.executor.table;

import java.util.HashSet;
import java.util.Set;
import org.nelumbo.dm.index.hash.HashCursor;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.pool.Channel;

/**
 * A random sample of the CVTs of a table, each at most once: the first ones of the hash index,
 * which is in the order of a hash of the keys, or a few of each of some random leaves. Not
 * thread-safe; called with the horizon pinned from start to end.
 */
public final class CvtSample {
  /** Number of CVTs of a leaf: few, because rows with similar keys are similar. */
  private static final int OF_LEAF = 8;

  /** Maximum number of leaves that are read, and found in the sample, one after the other. */
  private static final int MISSES_MAX = 64;

  /** Null without a hash index. */
  private final HashCursor hash;

  private final LeafCursor leaves;
  private final Set<Long> seen = new HashSet<>();
  private int count;

  /**
   * Creates a sample.
   *
   * @param index hash index; null if the table has no hash index
   * @param tree ordered primary index if there is no hash index
   */
  CvtSample(HashIndex index, OrderedIndex tree) {
    this.hash = index == null ? null : index.newCursor();
    this.leaves = index == null ? new LeafCursor(tree) : null;
  }

  /** Reads more CVTs; returns their number, 0 if there are hardly any others. */
  public int next(Channel channel) {
    if (hash != null) {
      return hash.next(channel);
    }
    count = 0;
    for (int miss = 0; count == 0 && miss < MISSES_MAX; miss++) {
      if (leaves.seekRandom(channel) && seen.add(leaves.leafAddress())) {
        count = Math.min(OF_LEAF, leaves.count());
      }
    }
    return count;
  }

  /** Returns a CVT address that the last {@link #next} has read. */
  public long cvt(int i) {
    return hash != null ? hash.cvt(i) : leaves.cvt(i * leaves.count() / count);
  }
}
