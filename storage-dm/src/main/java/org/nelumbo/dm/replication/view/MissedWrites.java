package org.nelumbo.dm.replication.view;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Map of the windows of a memory node in which it may differ from the other copies, a bit each. A
 * window is marked by whoever writes there while the node does not get the write, or does not
 * answer that it has done it, before the stripes of what is written are unlocked. It is unmarked
 * while its stripes are locked, when it has been copied.
 *
 * <p>So what is not marked while its stripes are locked is as on the other copies, if nobody else
 * has had the node meanwhile. Thread-safe.
 */
public final class MissedWrites {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int WORD_SHIFT = 6;

  private final int windowShift;
  private final long windowsPerSlot;
  private final int wordsPerSlot;
  private final long[] words;

  /**
   * A map without a mark.
   *
   * @param windowBytes a power of two
   */
  public MissedWrites(int slots, long slotBytes, int windowBytes) {
    if (Integer.bitCount(windowBytes) != 1) {
      throw new IllegalArgumentException("not a power of two windowBytes=" + windowBytes);
    }
    windowShift = Integer.numberOfTrailingZeros(windowBytes);
    windowsPerSlot = slotBytes + windowBytes - 1 >>> windowShift;
    wordsPerSlot = Math.toIntExact(windowsPerSlot + Long.SIZE - 1 >>> WORD_SHIFT);
    words = new long[Math.multiplyExact(slots, wordsPerSlot)];
  }

  /** Bytes of a window. */
  int windowBytes() {
    return 1 << windowShift;
  }

  private int word(int slot, long window) {
    return slot * wordsPerSlot + (int) (window >>> WORD_SHIFT);
  }

  /** A range of a slot was written elsewhere, and here perhaps not. */
  public void mark(int slot, long offset, int length) {
    if (length > 0) {
      long last = offset + length - 1 >>> windowShift;
      for (long window = offset >>> windowShift; window <= last; window++) {
        mark(slot, window);
      }
    }
  }

  private void mark(int slot, long window) {
    int word = word(slot, window);
    long bit = 1L << window;
    if (((long) WORDS.getOpaque(words, word) & bit) == 0) {
      WORDS.getAndBitwiseOr(words, word, bit);
    }
  }

  /** Nothing is known of what the node has. */
  public void markAll() {
    for (int word = 0; word < words.length; word++) {
      WORDS.setVolatile(words, word, -1L);
    }
  }

  /** The window that begins there is as on the other copies; its stripes are locked. */
  public void unmark(int slot, long offset) {
    long window = offset >>> windowShift;
    WORDS.getAndBitwiseAnd(words, word(slot, window), ~(1L << window));
  }

  /** Unmarks what has not been handed out: all windows from that offset on. */
  public void unmarkFrom(int slot, long offset) {
    for (long window = offset + windowBytes() - 1 >>> windowShift;
        window < windowsPerSlot;
        window++) {
      if ((window & Long.SIZE - 1) == 0) {
        WORDS.setVolatile(words, word(slot, window), 0L);
        window += Long.SIZE - 1;
      } else {
        unmark(slot, window << windowShift);
      }
    }
  }

  /** Where the first marked window at or behind an offset begins; {@code limit} if that is less. */
  public long nextMarked(int slot, long from, long limit) {
    long window = from >>> windowShift;
    while (window << windowShift < limit) {
      long rest = (long) WORDS.getVolatile(words, word(slot, window)) >>> window;
      if (rest != 0) {
        long found = window + Long.numberOfTrailingZeros(rest) << windowShift;
        return Math.min(Math.max(found, from), limit);
      }
      window = (window | Long.SIZE - 1) + 1;
    }
    return limit;
  }

  /** Bytes of marked windows of a slot before an offset. */
  long markedBytes(int slot, long limit) {
    long count = 0;
    long windows = Math.min(windowsPerSlot, limit + windowBytes() - 1 >>> windowShift);
    for (long window = 0; window < windows; window += Long.SIZE) {
      long bits = (long) WORDS.getOpaque(words, word(slot, window));
      long left = windows - window;
      count += Long.bitCount(left < Long.SIZE ? bits & (1L << left) - 1 : bits);
    }
    return Math.min(count << windowShift, limit);
  }
}
