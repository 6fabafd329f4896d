package org.nelumbo.executor.lock.remote;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Whether the transaction of a coordinator still has its locks, and the shards that it has locked
 * something of. Whoever takes locks away dooms it, unless it holds on to them; then it is awaited.
 * Thread-safe; only the coordinator's thread begins, holds and ends.
 *
 * <pre>
 *   ACTIVE --hold--> HOLDING --doom--> AWAITED
 *      |                 \--end--\       | end
 *      \--doom--> DOOMED ---end--> ENDED <-/
 * </pre>
 *
 * It holds on to its locks from the first change of the pool that they protect, at the latest from
 * the beginning of its commit.
 */
final class TransactionFate {
  static final int ENDED = 0;
  static final int ACTIVE = 1;
  static final int HOLDING = 2;
  static final int DOOMED = 3;

  /** Holds on to its locks, and somebody waits for its end. */
  static final int AWAITED = 4;

  private static final int STATE_BITS = 3;
  private static final int STATE_MASK = 7;

  /** Number of the transaction, and its state. */
  private final AtomicLong word = new AtomicLong();

  private final AtomicLongArray shards = new AtomicLongArray(LockShards.COUNT / Long.SIZE);

  /** When the transaction became {@link #AWAITED}; written before its state. */
  private volatile long awaitedSince;

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

  /** The transaction keeps its locks until it ends; false if it is doomed. */
  boolean hold() {
    long now = word.get();
    while (state(now) == ACTIVE) {
      if (word.compareAndSet(now, word(now >>> STATE_BITS, HOLDING))) {
        return true;
      }
      now = word.get();
    }
    return isHeld(state(now));
  }

  private static boolean isHeld(int state) {
    return state == HOLDING || state == AWAITED;
  }

  /** Whether a lock was taken away. */
  boolean isDoomed() {
    return state(word.get()) == DOOMED;
  }

  /** Whether a lock was taken away, or somebody waits for the end of the transaction. */
  boolean mustEnd() {
    int state = state(word.get());
    return state == DOOMED || state == AWAITED;
  }

  /**
   * Returns true if a lock was taken away, or if somebody has waited for the end of the transaction
   * for longer than the patience.
   */
  boolean isOverdue(LongSupplier nanoTime, long patienceNanos) {
    int state = state(word.get());
    return state == DOOMED
        || state == AWAITED && nanoTime.getAsLong() - awaitedSince > patienceNanos;
  }

  void end() {
    word.set(word(word.get() >>> STATE_BITS, ENDED));
  }

  /**
   * Dooms the transaction if it has that number and does not hold on; returns its state then.
   *
   * @param nanoTime the present time
   */
  int doom(long number, long nanoTime) {
    long now = word.get();
    while (now >>> STATE_BITS == number && (state(now) == ACTIVE || state(now) == HOLDING)) {
      int next = state(now) == ACTIVE ? DOOMED : AWAITED;
      awaitedSince = nanoTime;
      if (word.compareAndSet(now, word(number, next))) {
        return next;
      }
      now = word.get();
    }
    return now >>> STATE_BITS == number ? state(now) : ENDED;
  }

  /** Dooms the transaction if it has locked something of these shards and does not hold on. */
  void doomIfLocked(BitSet of, long nanoTime) {
    long now = word.get();
    if (hasLocked(of)) {
      doom(now >>> STATE_BITS, nanoTime);
    }
  }

  /** Whether a transaction that has locked something of these shards holds on to it. */
  boolean isHolding(BitSet of) {
    return isHeld(state(word.get())) && hasLocked(of);
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
