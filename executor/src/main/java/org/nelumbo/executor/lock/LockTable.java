package org.nelumbo.executor.lock;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.nelumbo.dm.env.Environment;

/**
 * The lock table of a compute node (LOTUS section 4.1): 8-byte slots in buckets of 8, one bucket a cache line. Thread-safe, lock-free but for overflowing buckets.
 *
 * <pre>
 *  63                                             8 7           0
 * +-------------------------------------------------+-------------+
 * |                fingerprint (56 bits)            |   counter   |    slots 0 to 6; 0 is free
 * +-------------------------------------------------+-------------+
 * counter: 1 one writer | 2n: n readers | 2n+1: n inserters (n >= 1)
 * slot 7: number of the bucket's locks that are in the overflow map
 * </pre>
 *
 * <p>A key is mixed by a bijection; the fingerprint is the upper 56 bits of the result and the bucket is taken from the lower ones, so with 256 buckets or more two keys share
 * a lock only if they are equal; with fewer they may, and conflict like one key ({@link #identity}).
 *
 * <p>No fingerprint is granted in two places. A grant is a CAS that makes a free slot taken or changes a counter; after it the bucket is read again, and the grant is undone
 * if the fingerprint is also in another slot or in the overflow map. Of two requests that take two slots at the same time the one whose CAS is later sees the other: not both
 * can keep theirs. A request that goes to the overflow map first raises slot 7, then reads the slots; so either it sees a slot that was just taken, or the one who took it
 * sees slot 7 raised and looks into the map.
 *
 * <p>Priorities (wait-die): beside each slot stands a lower bound of its holders' priorities, set by the first holder right after its grant and lowered by the others. A
 * reader that comes and goes may leave it too low, which makes somebody fail who might have waited. For a moment after a grant it may still be that of an earlier holder;
 * waiting requests ask again at each poll, so a wrong wait does not last.
 */
public final class LockTable {
  /** Lock modes. */
  public static final int READ = 1;

  public static final int WRITE = 2;

  /** Shared among those who add entries to one index leaf; excludes readers and writers. */
  public static final int INSERT = 3;

  /** The lock is held now. */
  public static final int GRANTED = 0;

  /** Another holds it, and every holder is younger than the requester, which may wait. */
  public static final int WAIT = 1;

  /** Another holds it that is older than the requester, which must not wait. */
  public static final int DIE = 2;

  static final int SLOTS = 8;
  static final int LOCK_SLOTS = 7;
  private static final int OVERFLOW_SLOT = 7;
  private static final int RETRY = -1;
  private static final int ATTEMPTS = 4;
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final Environment environment;
  private final long[] slots;
  private final long[] priorities;
  private final int bucketMask;
  private final OverflowLocks overflow;

  /**
   * An empty table.
   *
   * @param buckets a power of two
   */
  public LockTable(Environment environment, int buckets) {
    if (Integer.bitCount(buckets) != 1) {
      throw new IllegalArgumentException("not a power of two buckets=" + buckets);
    }
    this.environment = environment;
    this.slots = new long[buckets * SLOTS];
    this.priorities = new long[buckets * SLOTS];
    this.bucketMask = buckets - 1;
    this.overflow = new OverflowLocks();
  }

  /** Keys with equal identity are one lock. */
  public long identity(long key) {
    long mixed = LockWord.mix(key);
    return (LockWord.fingerprint(mixed) << LockWord.COUNTER_BITS) | (mixed & bucketMask & LockWord.COUNTER_MASK);
  }

  /** Tries to take the lock: {@link #GRANTED}, {@link #WAIT} or {@link #DIE}. The requester must not hold it. */
  public int tryAcquire(long key, int mode, long priority) {
    long mixed = LockWord.mix(key);
    long fingerprint = LockWord.fingerprint(mixed);
    int base = base(mixed);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int result = tryOnce(base, fingerprint, mode, priority);
      if (result != RETRY) {
        return result;
      }
      environment.backoff(attempt);
    }
    return WAIT;
  }

  private int tryOnce(int base, long fingerprint, int mode, long priority) {
    if (hasOverflow(base)) {
      return acquireInOverflow(base, fingerprint, mode, priority);
    }
    int free = -1;
    for (int i = base; i < base + LOCK_SLOTS; i++) {
      long word = (long) LONGS.getVolatile(slots, i);
      if (LockWord.fingerprintOf(word) == fingerprint) {
        return join(base, i, word, mode, priority);
      }
      if (word == 0 && free < 0) {
        free = i;
      }
    }
    return free < 0 ? acquireInOverflow(base, fingerprint, mode, priority) : takeFree(base, free, fingerprint, mode, priority);
  }

  private int takeFree(int base, int slot, long fingerprint, int mode, long priority) {
    long word = LockWord.first(fingerprint, mode);
    if (!LONGS.compareAndSet(slots, slot, 0L, word)) {
      return RETRY;
    }
    LONGS.setRelease(priorities, slot, priority);
    if (isElsewhere(base, slot, fingerprint)) {
      leave(slot, mode);
      return RETRY;
    }
    return GRANTED;
  }

  private int join(int base, int slot, long seen, int mode, long priority) {
    long word = seen;
    while (LockWord.admits(word, mode)) {
      long joined = LockWord.joined(word, mode);
      long witness = (long) LONGS.compareAndExchange(slots, slot, word, joined);
      if (witness == word) {
        lower(slot, priority);
        if (isElsewhere(base, slot, LockWord.fingerprintOf(word))) {
          leave(slot, mode);
          return RETRY;
        }
        return GRANTED;
      }
      if (LockWord.fingerprintOf(witness) != LockWord.fingerprintOf(word)) {
        return RETRY;
      }
      word = witness;
    }
    return verdict((long) LONGS.getVolatile(priorities, slot), priority);
  }

  static int verdict(long holder, long requester) {
    return requester - holder < 0 ? WAIT : DIE;
  }

  private void lower(int slot, long priority) {
    long current = (long) LONGS.getVolatile(priorities, slot);
    while (priority - current < 0) {
      long witness = (long) LONGS.compareAndExchange(priorities, slot, current, priority);
      if (witness == current) {
        return;
      }
      current = witness;
    }
  }

  /** Whether the fingerprint is also granted in another slot of the bucket, or in the overflow map. */
  private boolean isElsewhere(int base, int slot, long fingerprint) {
    return isInAnotherSlot(base, slot, fingerprint)
        || (hasOverflow(base) && overflow.contains(base, fingerprint));
  }

  private void leave(int slot, int mode) {
    long word = (long) LONGS.getVolatile(slots, slot);
    while (true) {
      long left = LockWord.left(word, mode);
      long witness = (long) LONGS.compareAndExchange(slots, slot, word, left);
      if (witness == word) {
        return;
      }
      word = witness;
    }
  }

  /**
   * Turns the requester's read lock into a write lock if it is the only reader.
   *
   * @return GRANTED, WAIT or DIE; the read lock is kept in the latter cases
   */
  public int tryUpgrade(long key, long priority) {
    long mixed = LockWord.mix(key);
    long fingerprint = LockWord.fingerprint(mixed);
    int base = base(mixed);
    if (hasOverflow(base)) {
      int result = overflow.upgrade(base, fingerprint, priority);
      if (result >= 0) {
        return result;
      }
    }
    int slot = held(base, fingerprint);
    if (LONGS.compareAndSet(slots, slot, LockWord.first(fingerprint, READ), LockWord.first(fingerprint, WRITE))) {
      LONGS.setRelease(priorities, slot, priority);
      return GRANTED;
    }
    return verdictForReader((long) LONGS.getVolatile(priorities, slot), priority);
  }

  /** The bound may be the requester's own: then it is older than the other readers. */
  static int verdictForReader(long holder, long requester) {
    return requester - holder <= 0 ? WAIT : DIE;
  }

  /**
   * Gives a lock back.
   *
   * @throws IllegalStateException if it is not held in this mode: nothing is changed
   */
  public void release(long key, int mode) {
    long mixed = LockWord.mix(key);
    long fingerprint = LockWord.fingerprint(mixed);
    int base = base(mixed);
    if (!hasOverflow(base) || !overflow.release(this, base, fingerprint, mode)) {
      leave(held(base, fingerprint), mode);
    }
  }

  /** Lower bound of the priorities of those who hold the lock, for messages; 0 if nobody does. */
  public long holderPriority(long key) {
    long mixed = LockWord.mix(key);
    int base = base(mixed);
    int slot = slotOf(base, LockWord.fingerprint(mixed));
    return slot >= 0
        ? (long) LONGS.getVolatile(priorities, slot)
        : overflow.priority(base, LockWord.fingerprint(mixed), 0);
  }

  /** Number of locks that are held, whoever holds them; exact when nothing is going on. */
  public int heldCount() {
    int count = overflow.size();
    for (int i = 0; i < slots.length; i++) {
      if (i % SLOTS != OVERFLOW_SLOT && (long) LONGS.getVolatile(slots, i) != 0) {
        count++;
      }
    }
    return count;
  }

  /**
   * Checks what must hold when nothing is going on: no fingerprint twice in a bucket, and slot 7 counts the overflow map.
   *
   * @throws IllegalStateException if it does not
   */
  public void verify() {
    long overflowing = 0;
    for (int base = 0; base < slots.length; base += SLOTS) {
      overflowing += slots[base + OVERFLOW_SLOT];
      for (int i = base; i < base + LOCK_SLOTS; i++) {
        if (slots[i] != 0 && isElsewhere(base, i, LockWord.fingerprintOf(slots[i]))) {
          throw new IllegalStateException("a fingerprint is in two places slot=" + i);
        }
        if (slots[i] != 0 && LockWord.counter(slots[i]) == 0) {
          throw new IllegalStateException("a lock without holder slot=" + i);
        }
      }
    }
    if (overflowing != overflow.size()) {
      throw new IllegalStateException("overflow count is off counted=" + overflowing + " held=" + overflow.size());
    }
  }

  private boolean hasOverflow(int base) {
    return (long) LONGS.getVolatile(slots, base + OVERFLOW_SLOT) != 0;
  }

  /** The slot of a lock that the caller holds. */
  private int held(int base, long fingerprint) {
    int slot = find(base, fingerprint);
    if (slot < 0) {
      throw new IllegalStateException("lock is not held fingerprint=" + Long.toHexString(fingerprint));
    }
    return slot;
  }

  /** The slot of a fingerprint, or -1. Where it is in two, one is about to be given up: waits until it shows which. */
  private int find(int base, long fingerprint) {
    for (int attempt = 0; ; attempt++) {
      int slot = slotOf(base, fingerprint);
      if (slot < 0 || !isInAnotherSlot(base, slot, fingerprint)) {
        return slot;
      }
      environment.backoff(attempt);
    }
  }

  private boolean isInAnotherSlot(int base, int slot, long fingerprint) {
    for (int i = base; i < base + LOCK_SLOTS; i++) {
      if (i != slot && LockWord.fingerprintOf((long) LONGS.getVolatile(slots, i)) == fingerprint) {
        return true;
      }
    }
    return false;
  }

  int slotOf(int base, long fingerprint) {
    for (int i = base; i < base + LOCK_SLOTS; i++) {
      if (LockWord.fingerprintOf((long) LONGS.getVolatile(slots, i)) == fingerprint) {
        return i;
      }
    }
    return -1;
  }

  /** Joins a lock that stands in a slot, for the overflow map. */
  int joinSlot(int base, int slot, long fingerprint, int mode, long priority) {
    long word = (long) LONGS.getVolatile(slots, slot);
    return LockWord.fingerprintOf(word) == fingerprint ? join(base, slot, word, mode, priority) : RETRY;
  }

  void raiseOverflow(int base) {
    LONGS.getAndAdd(slots, base + OVERFLOW_SLOT, 1L);
  }

  void lowerOverflow(int base) {
    LONGS.getAndAdd(slots, base + OVERFLOW_SLOT, -1L);
  }

  private int acquireInOverflow(int base, long fingerprint, int mode, long priority) {
    return overflow.acquire(this, base, fingerprint, mode, priority);
  }

  private int base(long mixed) {
    return (int) (mixed & bucketMask) * SLOTS;
  }
}
