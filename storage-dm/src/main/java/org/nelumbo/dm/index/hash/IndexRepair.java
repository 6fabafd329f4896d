package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LatchOwner;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.pool.Channel;

/**
 * Finishes or undoes the splits that a failed owner left half-done, see {@link HashIndex#repair}.
 */
final class IndexRepair {
  private final SegmentGrowth growth;
  private final int deadOwner;

  IndexRepair(SegmentGrowth growth, int deadOwner) {
    this.growth = growth;
    this.deadOwner = deadOwner;
  }

  /** Repairs the index at {@code root}; returns the number of segments that were repaired. */
  int run(Channel channel, PoolAllocator allocator, long root) {
    int repaired = 0;
    int more;
    do {
      more = walk(channel, allocator, new SegmentWalk(root));
      repaired += more;
    } while (more > 0);
    return repaired;
  }

  private int walk(Channel channel, PoolAllocator allocator, SegmentWalk walk) {
    int repaired = 0;
    while (walk.nextBatch(channel)) {
      for (int i = 0; i < walk.batchSize(); i++) {
        if (isDead(walk.latch(i))
            && growth.repair(channel, allocator, walk.segment(i), deadOwner)) {
          repaired++;
        }
      }
    }
    return repaired;
  }

  private boolean isDead(long latch) {
    return HashSegmentLayout.latchState(latch) == HashSegmentLayout.STATE_LATCHED
        && LatchOwner.isDead(HashSegmentLayout.latchOwner(latch), deadOwner);
  }
}
