package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.layout.HashSegmentLayout;

/**
 * The latch word of a segment: who works on it, and its depth. Held across flushes; nobody holds
 * two.
 */
final class SegmentLatch {
  private static final long WAIT_NANOS = 10_000_000_000L;

  private SegmentLatch() {}

  static boolean tryAcquire(Channel channel, long segment, int depth, int owner) {
    long latched = HashSegmentLayout.latch(owner, HashSegmentLayout.STATE_LATCHED, depth);
    return replace(channel, segment, HashSegmentLayout.freeLatch(depth), latched);
  }

  /** CAS of the latch word. */
  static boolean replace(Channel channel, long segment, long expected, long replacement) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.compareAndSwap(segment + HashSegmentLayout.LATCH_OFFSET, expected, replacement, offset);
    channel.flush();
    boolean replaced = channel.staging().get(JAVA_LONG, offset) == expected;
    channel.release(mark);
    return replaced;
  }

  static void release(Channel channel, long segment, int depth) {
    channel.writeLong(segment + HashSegmentLayout.LATCH_OFFSET, HashSegmentLayout.freeLatch(depth));
    channel.flush();
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
   * Polls until nobody works on the segment.
   *
   * @throws SegmentLatchedException after ten seconds, a thousand times what a split takes
   */
  static void await(Environment environment, Channel channel, long segment) {
    long start = environment.nanoTime();
    for (int attempt = 0; ; attempt++) {
      long latch = read(channel, segment);
      if (HashSegmentLayout.latchState(latch) == HashSegmentLayout.STATE_FREE) {
        return;
      }
      if (environment.nanoTime() - start > WAIT_NANOS) {
        throw new SegmentLatchedException(segment, HashSegmentLayout.latchOwner(latch));
      }
      environment.backoff(attempt);
    }
  }
}
