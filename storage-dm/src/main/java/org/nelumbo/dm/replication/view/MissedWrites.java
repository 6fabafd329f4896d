package org.nelumbo.dm.replication.view;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A bitmap of the windows of a memory node in which it may differ from the other copies, one bit
 * per window.
 *
 * <ul>
 *   <li>A flush marks each window that it writes if the node does not receive the write or does not
 *       confirm it. The flush does so before it unlocks the stripes of the written lines.
 *   <li>A window is unmarked after it was copied, while its stripes are still locked.
 * </ul>
 *
 * <p>Therefore an unmarked window whose stripes are locked equals the other copies, provided that
 * no other compute node has used the memory node in the meantime. Thread-safe.
 */
public final class MissedWrites {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int WORD_SHIFT = 6;

  private final int windowShift;
  private final long windowsPerSlot;
  private final int wordsPerSlot;
  private final long[] words;

  /**
   * Creates a map without marks.
   *
   * @param windowBytes window size, a power of two
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

  int windowBytes() {
    return 1 << windowShift;
  }

  private int word(int slot, long window) {
    return slot * wordsPerSlot + (int) (window >>> WORD_SHIFT);
  }

  /**
   * Marks the windows of a range that was written at other copies and possibly not at this node.
   */
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

  /** Marks all windows, because the contents of the node are unknown. */
  public void markAll() {
    for (int word = 0; word < words.length; word++) {
      WORDS.setVolatile(words, word, -1L);
    }
  }

  /**
   * Unmarks the window at an offset, which equals the other copies. The caller holds its stripes.
   */
  public void unmark(int slot, long offset) {
    long window = offset >>> windowShift;
    WORDS.getAndBitwiseAnd(words, word(slot, window), ~(1L << window));
  }

  /**
   * Unmarks all windows that lie completely at or above an offset, where no memory is allocated.
   */
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

  /**
   * Returns the offset of the first marked window at or after {@code from}, but at most {@code
   * limit}.
   */
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

  /** Returns the number of bytes in marked windows of a slot below {@code limit}. */
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
