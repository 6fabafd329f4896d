package org.nelumbo.planner.catalog;

import java.nio.ByteBuffer;

/**
 * What the pool keeps of a sequence: compute nodes that share the pool take ranges of it.
 *
 * @param next the first number that nobody has
 * @param isUsedUp whether the last number was taken, whatever the next one looks like: it may have
 *     wrapped around
 * @param restarts how often ranges that were taken before have become invalid
 */
record SequenceRow(long next, boolean isUsedUp, long restarts) {
  private static final int BYTES = 2 * Long.BYTES + 1;

  /** Before the first number is taken. */
  static SequenceRow first(long start) {
    return new SequenceRow(start, false, 0);
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .putLong(next)
        .putLong(restarts)
        .put((byte) (isUsedUp ? 1 : 0))
        .array();
  }

  /** Older rows have the next number only. */
  static SequenceRow decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    long next = from.getLong();
    if (from.remaining() < BYTES - Long.BYTES) {
      return first(next);
    }
    long restarts = from.getLong();
    return new SequenceRow(next, from.get() != 0, restarts);
  }
}
