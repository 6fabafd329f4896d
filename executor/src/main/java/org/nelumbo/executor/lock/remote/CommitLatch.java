package org.nelumbo.executor.lock.remote;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * The commit latch of a coordinator's transaction: decides whether the transaction still has its
 * locks, and records the shards in which it has locks. A compute node that revokes locks requests
 * the abort of the transaction. A transaction in hold is not aborted: it keeps its locks, and its
 * end is awaited. Thread-safe; only the coordinator's thread begins, holds and ends.
 *
 * <pre>
 *   ACTIVE --hold--> HOLDING --abort--> AWAITED
 *      |                 \--end--\         | end
 *      \--abort--> REVOKED --end--> ENDED <-/
 * </pre>
 *
 * A transaction is in hold from its first change of the pool that its locks protect, at the latest
 * from the beginning of its commit.
 */
final class CommitLatch {
  static final int ENDED = 0;
  static final int ACTIVE = 1;
  static final int HOLDING = 2;
  static final int REVOKED = 3;

  /** The transaction is in hold, and another party waits for its end. */
  static final int AWAITED = 4;

  private static final int STATE_BITS = 3;
  private static final int STATE_MASK = 7;

  private final AtomicLong word = new AtomicLong();

  private final AtomicLongArray shards = new AtomicLongArray(LockShards.COUNT / Long.SIZE);

  /** Time at which the transaction became {@link #AWAITED}; written before its state. */
  private volatile long awaitedSince;

  private static long word(long number, int state) {
    return number << STATE_BITS | state;
  }

  private static int state(long word) {
    return (int) word & STATE_MASK;
  }

  /** Begins a transaction, with a number larger than all earlier ones. */
  void begin(long number) {
    for (int i = 0; i < shards.length(); i++) {
      if (shards.getPlain(i) != 0) {
        shards.set(i, 0);
      }
    }
    word.set(word(number, ACTIVE));
  }

  /**
   * Records that the transaction has a lock in the shard. Must be called before the check that the
   * lock is still valid: then either the check fails, or the revoker of the lock finds this record.
   */
  void note(int shard) {
    int i = shard / Long.SIZE;
    long bits = shards.getPlain(i) | 1L << shard;
    if (bits != shards.getPlain(i)) {
      shards.set(i, bits);
    }
  }

  /** Protects the locks of the transaction until it ends; returns false if one is revoked. */
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

  /** Returns true if a lock was revoked. */
  boolean isRevoked() {
    return state(word.get()) == REVOKED;
  }

  /** Returns true if a lock was revoked, or if the end of the transaction is awaited. */
  boolean mustEnd() {
    int state = state(word.get());
    return state == REVOKED || state == AWAITED;
  }

  /**
   * Returns true if a lock was revoked, or if the end of the transaction has been awaited for
   * longer than the patience.
   */
  boolean isOverdue(LongSupplier nanoTime, long patienceNanos) {
    int state = state(word.get());
    return state == REVOKED
        || state == AWAITED && nanoTime.getAsLong() - awaitedSince > patienceNanos;
  }

  void end() {
    word.set(word(word.get() >>> STATE_BITS, ENDED));
  }

  /**
   * Revokes the locks of the transaction if it has that number and is not in hold; returns its
   * state after the call.
   *
   * @param nanoTime the present time
   */
  int requestAbort(long number, long nanoTime) {
    long now = word.get();
    while (now >>> STATE_BITS == number && (state(now) == ACTIVE || state(now) == HOLDING)) {
      int next = state(now) == ACTIVE ? REVOKED : AWAITED;
      awaitedSince = nanoTime;
      if (word.compareAndSet(now, word(number, next))) {
        return next;
      }
      now = word.get();
    }
    return now >>> STATE_BITS == number ? state(now) : ENDED;
  }

  /** Revokes the locks of the transaction if it has one in these shards and is not in hold. */
  void abortIfLocked(BitSet of, long nanoTime) {
    long now = word.get();
    if (hasLocked(of)) {
      requestAbort(now >>> STATE_BITS, nanoTime);
    }
  }

  /** Returns true if the transaction has a lock in these shards and is in hold. */
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
