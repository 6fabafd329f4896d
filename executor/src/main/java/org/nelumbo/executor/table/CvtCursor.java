package org.nelumbo.executor.table;

import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.hash.HashCursor;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.dm.pool.Channel;

/**
 * A walk over the CVTs of a table: through its hash index, or through its ordered primary index if
 * it has no hash index. An entry that is present during the whole walk is returned exactly once; an
 * entry that is added or removed meanwhile, at most once. Not thread-safe; called with the horizon
 * pinned from start to end.
 */
public final class CvtCursor {
  private static final byte[] NO_BOUND = {};

  /** Null without a hash index. */
  private final HashCursor hash;

  private final LeafCursor leaves;
  private boolean isStarted;

  /**
   * Creates a cursor.
   *
   * @param index hash index; null if the table has no hash index
   * @param tree ordered primary index if there is no hash index
   */
  CvtCursor(HashIndex index, OrderedIndex tree) {
    this.hash = index == null ? null : index.newCursor();
    this.leaves = index == null ? new LeafCursor(tree) : null;
  }

  /** Reads the next entries, up to about a thousand; returns their number, 0 at the end. */
  public int next(Channel channel) {
    if (hash != null) {
      return hash.next(channel);
    }
    int status;
    do {
      status =
          isStarted
              ? leaves.nextLeaf(channel)
              : leaves.seek(channel, NO_BOUND, 0, true, ScanDirection.ASCENDING, LeafGuard.NONE);
      isStarted = true;
    } while (status == IndexResult.OK && leaves.count() == 0);
    return status == IndexResult.OK ? leaves.count() : 0;
  }

  /** Returns the CVT address of an entry that the last {@link #next} has read. */
  public long cvt(int i) {
    return hash != null ? hash.cvt(i) : leaves.cvt(i);
  }
}
