package org.nelumbo.dm.replication.verbs;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A fixed-size table of locks on the 64-byte lines of the pool (lock striping). The locks make all
 * copies of a word see its writes in one order.
 *
 * <pre>
 * 63            32 31                       0
 * +----------------+--------------------------+
 * |  times taken   |  holder, 0: not locked   |
 * +----------------+--------------------------+
 * </pre>
 *
 * A locked line is being written: its copies may differ, and the result of a READ there may not be
 * on all copies yet. Lines with different addresses may share a lock word, which costs waiting time
 * only.
 */
public final class StripeLocks {
  /** Binary logarithm of the line size; the bytes of a line always share a word. */
  static final int LINE_SHIFT = 6;

  private static final long HOLDER = 0xFFFF_FFFFL;
  private static final long LOCKED_ONCE = 1L << 32;
  private static final int NODE_STEP = 0x9E35;

  private final AtomicLongArray words;
  private final int mask;

  /**
   * @param size number of lock words, a power of two
   */
  public StripeLocks(int size) {
    words = new AtomicLongArray(size);
    mask = size - 1;
  }

  /**
   * Returns the index of the lock word for an offset in a logical node. The next line has the
   * {@link #next} word.
   */
  int stripeOf(int logical, long offset) {
    return (int) (offset >>> LINE_SHIFT) + logical * NODE_STEP & mask;
  }

  int next(int stripe) {
    return stripe + 1 & mask;
  }

  /** Returns the number of lock words for a range of bytes. */
  int count(long offset, int length) {
    if (length == 0) {
      return 0;
    }
    long lines = (offset + length - 1 >>> LINE_SHIFT) - (offset >>> LINE_SHIFT) + 1;
    return (int) Math.min(lines, mask + 1L);
  }

  /** Returns true if a holder has the lock. */
  boolean isHeldBy(int stripe, int holder) {
    return (int) words.getPlain(stripe) == holder;
  }

  /** Acquires a lock if it is free; returns false otherwise. */
  boolean tryLock(int stripe, int holder) {
    long word = words.get(stripe);
    return (word & HOLDER) == 0 && words.compareAndSet(stripe, word, word | holder & HOLDER);
  }

  /** Releases a lock. All copies have what its holder has written. */
  void unlock(int stripe) {
    assert isLocked(words.getPlain(stripe)) : "not locked stripe=" + stripe;
    words.set(stripe, (words.getPlain(stripe) & ~HOLDER) + LOCKED_ONCE);
  }

  /** Reads a lock word, for {@link #isLocked} and {@link #isUnchanged}. */
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
