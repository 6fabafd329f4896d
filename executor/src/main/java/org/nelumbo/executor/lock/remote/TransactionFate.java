package org.nelumbo.executor.lock.remote;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Whether the transaction of a coordinator may still commit, and the shards that it has locked
 * something of. Whoever takes locks away dooms it, unless it commits already. Thread-safe; only the
 * coordinator's thread begins, commits and ends.
 *
 * <pre>
 *   ACTIVE --beginCommit--> COMMITTING --end--> ENDED
 *      \------doom--------> DOOMED ------end----^
 * </pre>
 */
final class TransactionFate {
  static final int ENDED = 0;
  static final int ACTIVE = 1;
  static final int COMMITTING = 2;
  static final int DOOMED = 3;

  private static final int STATE_BITS = 2;
  private static final int STATE_MASK = 3;

  /** Number of the transaction, and its state. */
  private final AtomicLong word = new AtomicLong();

  private final AtomicLongArray shards = new AtomicLongArray(LockShards.COUNT / Long.SIZE);

  private static long word(long number, int state) {
    return number << STATE_BITS | state;
  }

  private static int state(long word) {
    return (int) word & STATE_MASK;
  }

  /** A transaction begins, with a number larger than that of any before. */
  void begin(long number) {
    for (int i = 0; i < shards.length(); i++) {
      if (shards.getPlain(i) != 0) {
        shards.set(i, 0);
      }
    }
    word.set(word(number, ACTIVE));
  }

  /**
   * Notes that something of the shard is locked. To be called before it is checked that the lock
   * still counts: so either that fails, or whoever takes it away sees this note.
   */
  void note(int shard) {
    int i = shard / Long.SIZE;
    long bits = shards.getPlain(i) | 1L << shard;
    if (bits != shards.getPlain(i)) {
      shards.set(i, bits);
    }
  }

  /** False if the transaction is doomed. */
  boolean beginCommit() {
    long now = word.get();
    return mayCommit(state(now)) && word.compareAndSet(now, word(now >>> STATE_BITS, COMMITTING));
  }

  private static boolean mayCommit(int state) {
    return state == ACTIVE;
  }

  boolean isDoomed() {
    return state(word.get()) == DOOMED;
  }

  void end() {
    word.set(word(word.get() >>> STATE_BITS, ENDED));
  }

  /** Dooms the transaction if it has that number and does not commit; returns its state then. */
  int doom(long number) {
    long now = word.get();
    while (now >>> STATE_BITS == number && state(now) == ACTIVE) {
      if (word.compareAndSet(now, word(number, DOOMED))) {
        return DOOMED;
      }
      now = word.get();
    }
    return now >>> STATE_BITS == number ? state(now) : ENDED;
  }

  /** Dooms the transaction if it has locked something of these shards and does not commit. */
  void doomIfLocked(BitSet of) {
    long now = word.get();
    if (state(now) == ACTIVE && hasLocked(of)) {
      doom(now >>> STATE_BITS);
    }
  }

  /** Whether a transaction that has locked something of these shards is committing. */
  boolean isCommitting(BitSet of) {
    return state(word.get()) == COMMITTING && hasLocked(of);
  }

  private boolean hasLocked(BitSet of) {
    for (int shard = of.nextSetBit(0); shard >= 0; shard = of.nextSetBit(shard + 1)) {
      if ((shards.get(shard / Long.SIZE) & 1L << shard) != 0) {
        return true;
      }
    }
    return false;
  }
}
