package org.nelumbo.executor.gc;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;

/**
 * Cuts versions that no snapshot needs from the end of overflow chains of rows that are written all
 * the time. A whole chain is removed when the oldest version of the CVT is at or below the horizon.
 * But a row may get as many new versions as its CVT has cells between any two steps of the horizon,
 * or between the starts of any two snapshots. Its chain would then never be removed.
 *
 * <p>The first version of a chain that is at or below the horizon is the last one that a snapshot
 * may read: readers walk from new to old, and stop there. So the rest of the chain is cut off, by
 * one WRITE under the row's write lock. If the compute node fails then, the memory of the rest is
 * lost.
 *
 * <p>Finding that version takes a READ for each version above the horizon. So a coordinator
 * searches only after a number of its own commits that is proportional to the number of READs of
 * the last search. That makes about two READs for each version that is added to a chain. Not
 * thread-safe.
 */
public final class ChainCut {
  /** Rows are hashed to 2^{@value} counters; rows that share a counter are searched in turn. */
  private static final int COUNT_BITS = 6;

  /** Number of versions that are added to a chain between two searches, at least. */
  private static final int VERSIONS_MIN = 8;

  // A chain with so many versions above the horizon is not cut.

  private static final int READS_MAX = 1 << 16;
  private static final int REMOTE_READS_MAX = 256;

  private static final int MULTIPLIER = 0x9E3779B9;

  private final Channel channel;
  private final MemorySegment staging;
  private final CriticalSection critical;
  private final GarbageList garbage;
  private final boolean remote;
  private final int[] left = new int[1 << COUNT_BITS];

  public ChainCut(CoordinatorContext context, GarbageList garbage) {
    this.channel = context.channel();
    this.staging = channel.staging();
    this.critical = context.critical();
    this.remote = context.caches().isRemote();
    this.garbage = garbage;
    Arrays.fill(left, VERSIONS_MIN);
  }

  /**
   * Reports that a version was added to the front of a row's overflow chain. The caller holds the
   * row's write lock.
   *
   * @param first address of the first block of the chain
   * @param timestamp timestamp of the commit
   */
  public void added(long cvt, long first, long horizon, long timestamp) {
    int count = (int) (cvt >>> 4) * MULTIPLIER >>> Integer.SIZE - COUNT_BITS;
    if (--left[count] <= 0) {
      left[count] = Math.max(VERSIONS_MIN, cut(first, horizon, timestamp) / 2);
    }
  }

  private int cut(long first, long horizon, long timestamp) {
    int mark = channel.mark();
    int offset = channel.reserve(OverflowLayout.LENGTH);
    int most = remote ? REMOTE_READS_MAX : READS_MAX;
    int reads = 0;
    boolean isFound = false;
    for (long block = first; block != PoolAddress.NULL && !isFound && reads < most; reads++) {
      channel.read(block, offset, OverflowLayout.LENGTH);
      channel.flush();
      long next = OverflowLayout.next(staging, offset);
      long version = CellLayout.version(OverflowLayout.word1(staging, offset));
      isFound = version <= horizon;
      if (isFound && next != PoolAddress.NULL) {
        cutBehind(block);
        garbage.discardChain(next, version, timestamp);
      }
      block = next;
    }
    channel.release(mark);
    return reads;
  }

  private void cutBehind(long block) {
    try {
      critical.begin();
      channel.writeLong(block + OverflowLayout.NEXT_OFFSET, PoolAddress.NULL);
      channel.flush();
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }
}
