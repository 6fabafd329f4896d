package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.superblock.ComputeNodeTable;

/**
 * The latch word of a segment: who works on it, and its depth. Held across flushes; nobody holds
 * two.
 */
final class SegmentLatch {
  private static final long WAIT_NANOS = 10_000_000_000L;

  private SegmentLatch() {}

  /**
   * Posts taking the latch of a free segment; what is read of it behind that is as of the latch.
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

  /** After the flush: whether the latch is held. */
  static boolean isAcquired(Channel channel, int ticket, int depth) {
    return channel.hasSwapped(ticket, HashSegmentLayout.freeLatch(depth));
  }

  /** CAS of the latch word. */
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

  /** Behind whatever was posted to the segment before. */
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
   * Polls until nobody works on the segment. A compute node that is in the table of those that
   * share the pool is waited for as long as it takes: one that is stopped or failed leaves the
   * table when it is fenced and its latches are repaired. Time in which a memory node holds up
   * flushes does not count: whoever works there may wait for it.
   *
   * @throws SegmentLatchedException after ten seconds, a thousand times what a split takes, if the
   *     owner of the latch is not in the table: nobody will give it back
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
