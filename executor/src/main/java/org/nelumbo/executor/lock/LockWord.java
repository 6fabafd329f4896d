package org.nelumbo.executor.lock;

/** Encodes and decodes the 8-byte word of a lock; see the picture in {@link LockTable}. */
final class LockWord {
  static final int COUNTER_BITS = 8;
  static final int WRITER = 1;

  /** Counter of a slot that is taken, but whose lock is not granted yet. */
  static final int CLAIMED = 0;

  /** Bits of a mixed key that are not in its fingerprint. */
  static final int LOW_MASK = 0xff;

  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** Multiplicative inverse of {@link #SPREAD}. */
  private static final long UNSPREAD = inverse(SPREAD);

  private static final long COUNTER_MASK = 0xff;

  /** Largest counter that can grow by two within its byte. */
  private static final int LAST_JOINABLE = 253;

  private LockWord() {}

  /** Each step doubles the number of correct bits. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  /**
   * Mixes a key by a bijection of 64-bit values: the upper bits of the product depend on all bits
   * of the key, and are folded into the lower ones.
   */
  static long mix(long key) {
    long product = key * SPREAD;
    return product ^ product >>> 32;
  }

  /** Returns the key that {@link #mix} maps to the given fingerprint and low bits. */
  static long key(long fingerprint, int low) {
    long mixed = fingerprint << COUNTER_BITS | low;
    return (mixed ^ mixed >>> 32) * UNSPREAD;
  }

  /** Returns the fingerprint, which is never 0, so that the word of a taken slot is never 0. */
  static long fingerprint(long mixed) {
    long fingerprint = mixed >>> COUNTER_BITS;
    return fingerprint == 0 ? 1 : fingerprint;
  }

  static long of(long fingerprint, int counter) {
    return fingerprint << COUNTER_BITS | counter;
  }

  static long fingerprintOf(long word) {
    return word >>> COUNTER_BITS;
  }

  static int counter(long word) {
    return (int) (word & COUNTER_MASK);
  }

  /** Returns the counter of a lock with one holder: 1, 2 or 3. */
  static int firstCounter(LockMode mode) {
    return mode == LockMode.WRITE ? WRITER : mode == LockMode.READ ? 2 : 3;
  }

  /** Returns true if a lock can get one more holder in that mode; its counter then grows by two. */
  static boolean admits(int counter, LockMode mode) {
    return mode != LockMode.WRITE
        && counter > WRITER
        && counter <= LAST_JOINABLE
        && ((counter ^ firstCounter(mode)) & 1) == 0;
  }

  /**
   * Returns the counter without one holder in that mode; 0 if it was the last holder.
   *
   * @throws IllegalStateException if there is no holder in that mode
   */
  static int leave(int counter, LockMode mode) {
    int first = firstCounter(mode);
    boolean held = mode == LockMode.WRITE ? counter == first : counter >= first;
    if (!held || ((counter ^ first) & 1) != 0) {
      throw new IllegalStateException(
          "lock is not held in this mode mode=" + mode + " counter=" + counter);
    }
    return counter == first ? 0 : counter - 2;
  }
}
