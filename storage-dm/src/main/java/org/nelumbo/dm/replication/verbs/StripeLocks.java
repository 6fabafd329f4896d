package org.nelumbo.dm.replication.verbs;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Table of locks on lines of 64 bytes of the pool, so that all copies of a word see its writes in
 * one order. Lines share a fixed number of lock words (lock striping).
 *
 * <pre>
 *  63            32 31                       0
 * +----------------+--------------------------+
 * |  times taken   |  holder, 0: nobody       |
 * +----------------+--------------------------+
 * </pre>
 *
 * A line that is held is being written: the copies may differ, and what a READ has seen there may
 * not be on all of them yet. Lines of different addresses may share a word; that costs a wait, no
 * more.
 */
public final class StripeLocks {
  /** Bytes that share a word in any case. */
  static final int LINE_SHIFT = 6;

  private static final long HOLDER = 0xFFFF_FFFFL;
  private static final long LOCKED_ONCE = 1L << 32;
  private static final int NODE_STEP = 0x9E35;

  private final AtomicLongArray words;
  private final int mask;

  /**
   * @param size number of words, a power of two
   */
  public StripeLocks(int size) {
    words = new AtomicLongArray(size);
    mask = size - 1;
  }

  /** The word of an offset in a logical node; that of the next line is the next one. */
  int stripeOf(int logical, long offset) {
    return (int) (offset >>> LINE_SHIFT) + logical * NODE_STEP & mask;
  }

  int next(int stripe) {
    return stripe + 1 & mask;
  }

  /** Number of lock words of a range of bytes. */
  int count(long offset, int length) {
    if (length == 0) {
      return 0;
    }
    long lines = (offset + length - 1 >>> LINE_SHIFT) - (offset >>> LINE_SHIFT) + 1;
    return (int) Math.min(lines, mask + 1L);
  }

  /** Whether it is this holder's already. */
  boolean isHeldBy(int stripe, int holder) {
    return (int) words.getPlain(stripe) == holder;
  }

  /** Locks a word that nobody holds. */
  boolean tryLock(int stripe, int holder) {
    long word = words.get(stripe);
    return (word & HOLDER) == 0 && words.compareAndSet(stripe, word, word | holder & HOLDER);
  }

  /** Unlocks a word; what was written is on all copies. */
  void unlock(int stripe) {
    assert isLocked(words.getPlain(stripe)) : "not locked stripe=" + stripe;
    words.set(stripe, (words.getPlain(stripe) & ~HOLDER) + LOCKED_ONCE);
  }

  /** The word as it is, for {@link #isLocked} and {@link #isUnchanged}. */
  long read(int stripe) {
    return words.get(stripe);
  }

  static boolean isLocked(long word) {
    return (word & HOLDER) != 0;
  }

  boolean isUnchanged(int stripe, long word) {
    return words.get(stripe) == word;
  }
}
