package org.nelumbo.executor.lock;

/** The 8-byte word of a lock slot: see the picture in {@link LockTable}. */
final class LockWord {
  static final int COUNTER_BITS = 8;
  static final long COUNTER_MASK = 0xFF;
  private static final int WRITER = 1;

  /** Adding two to the counter must leave it in its byte. */
  private static final int LAST_JOINABLE = 253;

  private LockWord() {}

  /** A bijection of 64-bit values that spreads every bit (the finisher of MurmurHash3). */
  static long mix(long key) {
    long mixed = key;
    mixed = (mixed ^ (mixed >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }

  /** Never 0, so that a taken slot is never 0. */
  static long fingerprint(long mixed) {
    long fingerprint = mixed >>> COUNTER_BITS;
    return fingerprint == 0 ? 1 : fingerprint;
  }

  static long fingerprintOf(long word) {
    return word >>> COUNTER_BITS;
  }

  static int counter(long word) {
    return (int) (word & COUNTER_MASK);
  }

  /** The word of a lock with one holder. */
  static long first(long fingerprint, int mode) {
    return (fingerprint << COUNTER_BITS) | firstCounter(mode);
  }

  static int firstCounter(int mode) {
    return mode == LockTable.WRITE ? WRITER : mode == LockTable.READ ? 2 : 3;
  }

  /** Whether a lock with this word can be shared with one more holder in that mode. */
  static boolean admits(long word, int mode) {
    return admitsCounter(counter(word), mode);
  }

  static boolean admitsCounter(int counter, int mode) {
    if (mode == LockTable.WRITE || counter == WRITER || counter > LAST_JOINABLE) {
      return false;
    }
    return (counter & 1) == (mode == LockTable.READ ? 0 : 1);
  }

  static long joined(long word, int mode) {
    return word + 2;
  }

  /**
   * The word without one holder in that mode; 0 if it was the last.
   *
   * @throws IllegalStateException if there is none
   */
  static long left(long word, int mode) {
    int counter = leftCounter(counter(word), mode);
    return counter == 0 ? 0 : (word & ~COUNTER_MASK) | counter;
  }

  static int leftCounter(int counter, int mode) {
    boolean held =
        switch (mode) {
          case LockTable.WRITE -> counter == WRITER;
          case LockTable.READ -> counter >= 2 && (counter & 1) == 0;
          default -> counter >= 3 && (counter & 1) == 1;
        };
    if (!held) {
      throw new IllegalStateException("lock is not held in this mode mode=" + mode + " counter=" + counter);
    }
    return counter == firstCounter(mode) ? 0 : counter - 2;
  }
}
