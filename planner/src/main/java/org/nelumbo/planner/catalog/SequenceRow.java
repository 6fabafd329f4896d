package org.nelumbo.planner.catalog;

import java.nio.ByteBuffer;

/**
 * What the pool keeps of a sequence: compute nodes that share the pool take ranges of it.
 *
 * @param next the first number that nobody has
 * @param isUsedUp whether the last number was taken, whatever the next one looks like: it may have
 *     wrapped around
 * @param isFirst whether it is to begin with that number, rather than to go on with it
 * @param restarts how often ranges that were taken before have become invalid
 */
record SequenceRow(long next, boolean isUsedUp, boolean isFirst, long restarts) {
  private static final int BYTES = 2 * Long.BYTES + 1;
  private static final int USED_UP = 1;
  private static final int FIRST = 2;

  /** Before the first number is taken. */
  static SequenceRow first(long start) {
    return first(start, 0);
  }

  /** Before the first number is taken, and after so many restarts. */
  static SequenceRow first(long start, long restarts) {
    return new SequenceRow(start, false, true, restarts);
  }

  byte[] encode() {
    int flags = (isUsedUp ? USED_UP : 0) | (isFirst ? FIRST : 0);
    return ByteBuffer.allocate(BYTES).putLong(next).putLong(restarts).put((byte) flags).array();
  }

  /** Older rows have the next number only. */
  static SequenceRow decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    long next = from.getLong();
    if (from.remaining() < BYTES - Long.BYTES) {
      return new SequenceRow(next, false, false, 0);
    }
    long restarts = from.getLong();
    int flags = from.get();
    return new SequenceRow(next, (flags & USED_UP) != 0, (flags & FIRST) != 0, restarts);
  }
}
