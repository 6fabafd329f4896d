package org.nelumbo.planner.catalog;

import java.nio.ByteBuffer;

/**
 * The state of a sequence in the pool, from which compute nodes take ranges.
 *
 * @param next the first number that is not taken
 * @param isUsedUp whether the last number was taken; then {@code next} may have wrapped around
 * @param isFirst whether the sequence starts with {@code next}, rather than continues with it
 * @param restarts how often the ranges taken before have been invalidated
 */
record SequenceRow(long next, boolean isUsedUp, boolean isFirst, long restarts) {
  private static final int BYTES = 2 * Long.BYTES + 1;
  private static final int USED_UP = 1;
  private static final int FIRST = 2;

  /** Returns the state before the first number is taken. */
  static SequenceRow first(long start) {
    return first(start, 0);
  }

  /** Returns the state before the first number is taken, after a number of restarts. */
  static SequenceRow first(long start, long restarts) {
    return new SequenceRow(start, false, true, restarts);
  }

  byte[] encode() {
    int flags = (isUsedUp ? USED_UP : 0) | (isFirst ? FIRST : 0);
    return ByteBuffer.allocate(BYTES).putLong(next).putLong(restarts).put((byte) flags).array();
  }

  /** Decodes a row; rows of older versions contain only the next number. */
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
