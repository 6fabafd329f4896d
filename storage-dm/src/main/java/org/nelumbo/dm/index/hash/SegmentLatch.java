package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.superblock.ComputeNodeTable;

/**
 * The latch word of a segment: its holder, and the depth of the segment. Held across flushes; a
 * thread never holds two.
 */
final class SegmentLatch {
  private static final long WAIT_NANOS = 10_000_000_000L;

  private SegmentLatch() {}

  /**
   * Posts the acquisition of the latch of a free segment; READs of the segment that are posted
   * after it see the latched state.
   *
   * @return a ticket for {@link #isAcquired}: 8 reserved staging bytes, which the caller releases
   */
  static int postAcquire(Channel channel, long segment, int depth, int owner) {
    int offset = channel.reserve(Long.BYTES);
    channel.compareAndSwap(
        segment + HashSegmentLayout.LATCH_OFFSET,
        HashSegmentLayout.freeLatch(depth),
        HashSegmentLayout.latch(owner, HashSegmentLayout.STATE_LATCHED, depth),
        offset);
    return offset;
  }

  /** Returns true, after the flush, if the latch was acquired. */
  static boolean isAcquired(Channel channel, int ticket, int depth) {
    return channel.hasSwapped(ticket, HashSegmentLayout.freeLatch(depth));
  }

  /** Replaces the latch word by CAS; returns true if it had the expected value. */
  static boolean replace(Channel channel, long segment, long expected, long replacement) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.compareAndSwap(segment + HashSegmentLayout.LATCH_OFFSET, expected, replacement, offset);
    channel.flush();
    boolean replaced = channel.hasSwapped(offset, expected);
    channel.release(mark);
    return replaced;
  }

  static void release(Channel channel, long segment, long held, int depth) {
    postRelease(channel, segment, held, depth);
    channel.flush();
  }

  /** Posts the release, which takes effect after all verbs posted to the segment before. */
  static void postRelease(Channel channel, long segment, long held, int depth) {
    channel.writeRelease(
        segment + HashSegmentLayout.LATCH_OFFSET, held, HashSegmentLayout.freeLatch(depth));
  }

  static long read(Channel channel, long segment) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(segment + HashSegmentLayout.LATCH_OFFSET, offset, Long.BYTES);
    channel.flush();
    long latch = channel.staging().get(JAVA_LONG, offset);
    channel.release(mark);
    return latch;
  }

  /**
   * Polls until the segment is not latched. If the owner of the latch is in the table of compute
   * nodes that share the pool, the wait has no limit: a node that is stopped or failed leaves the
   * table when it is fenced and its latches are repaired. Time in which a memory node delays
   * flushes does not count, since the owner may be waiting for it.
   *
   * @throws SegmentLatchedException after ten seconds, a thousand times the duration of a split, if
   *     the owner of the latch is not in the table and so will not release it
   */
  static void await(Environment environment, Channel channel, long segment) {
    long start = environment.nanoTime();
    for (int attempt = 0; ; attempt++) {
      long latch = read(channel, segment);
      if (HashSegmentLayout.latchState(latch) == HashSegmentLayout.STATE_FREE) {
        return;
      }
      if (channel.isHeldUp()) {
        start = environment.nanoTime();
      }
      if (environment.nanoTime() - start > WAIT_NANOS) {
        int owner = HashSegmentLayout.latchOwner(latch);
        if (!ComputeNodeTable.isIn(channel, owner) && read(channel, segment) == latch) {
          throw new SegmentLatchedException(segment, owner);
        }
        start = environment.nanoTime();
      }
      environment.backoff(attempt);
    }
  }
}
