package org.nelumbo.executor.lock;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import org.nelumbo.dm.env.Environment;

/**
 * The lock table of a compute node (LOTUS section 4.1): 8-byte slots in buckets of 8, one bucket
 * per cache line. Thread-safe; lock-free except for overflowing buckets.
 *
 * <pre>
 *  63                                             8 7           0
 * +-------------------------------------------------+-------------+
 * |                fingerprint (56 bits)            |   counter   |    slots 0 to 6; word 0: free
 * +-------------------------------------------------+-------------+
 * counter: 0 claimed | 1 one writer | 2n: n readers | 2n+1: n inserters (n >= 1)
 * slot 7: number of the bucket's locks that are in the overflow map
 * the next cache line: for each slot, a lower bound of its holders' priorities;
 *                      then the announced waiter ({@link AnnouncedWaiters})
 * </pre>
 *
 * <p>(The table is an array, so a bucket may straddle two cache lines; see {@link LockMemory}.)
 *
 * <p><b>Identity.</b> A key is mixed by a bijection; the fingerprint is the upper 56 bits, and the
 * lower ones select the bucket. With more than 256 buckets two keys share a lock only if they are
 * equal (or their fingerprints are 0 and 1, which count as one). With fewer buckets different keys
 * may share a lock, and conflict like one key ({@link #identity}).
 *
 * <p><b>A fingerprint is published at most once.</b> A requester that does not find the fingerprint
 * takes these steps:
 *
 * <ol>
 *   <li>It claims a free slot by CAS (counter 0).
 *   <li>It reads the whole bucket again, and the overflow map if slot 7 is not 0. If the
 *       fingerprint is in another slot or in the map, the requester frees its slot and starts
 *       again.
 *   <li>Otherwise it stores its priority and publishes the grant.
 * </ol>
 *
 * <p>Proof: of two requesters that claim two slots, the one whose CAS is later sees the other
 * claim, so at most one of them publishes. A requester that uses the overflow map raises slot 7
 * before it reads the slots: either it sees a claim, or the claimer sees the raised slot 7 and
 * searches the map. Since a published lock is the only one with its fingerprint, joining and
 * leaving it take one CAS each.
 *
 * <p><b>Wait-die.</b> The bound of a slot is set before its lock is published, lowered by each
 * transaction that joins, and raised only by a sole holder (upgrade). It is thus never above the
 * priority of a holder, except for the instant between joining and lowering, which a waiter's next
 * poll corrects. It may be below all holders when the oldest of several readers has left; then a
 * transaction fails that might have waited. So requests wait for younger holders only, and no cycle
 * can form.
 *
 * <p><b>Fairness.</b> Readers may join readers for ever, without a gap in which a writer could get
 * the lock. The same holds for inserters, and a free lock may be taken between two polls of a
 * waiter. So a transaction that has waited long is announced ({@link #announce}), and younger ones
 * get {@link LockResult#BEHIND}: they neither join nor take the lock. From then on only holders,
 * older transactions, and requests that are in progress can get the lock before the waiter.
 */
public class LockTable {
  static final int LOCK_SLOTS = 7;
  private static final int OVERFLOW_SLOT = 7;
  private static final int PRIORITIES = 8;
  private static final int BUCKET_WORDS_SHIFT = 4;
  private static final int BUCKETS_MAX = 1 << 24;
  private static final int ATTEMPTS = 96;

  private final Environment environment;
  private final LockMemory words;
  private final int bucketMask;
  private final OverflowLocks overflow;
  private final AnnouncedWaiters waiters;
  private final LongAdder waits = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();

  /**
   * Creates an empty table.
   *
   * @param buckets number of buckets, a power of two; a bucket takes 128 bytes and holds 7 locks
   */
  public LockTable(Environment environment, int buckets) {
    this(environment, new LockMemory(wordsOf(buckets)));
  }

  LockTable(Environment environment, LockMemory words) {
    this.environment = environment;
    this.words = words;
    this.bucketMask = (words.count() >>> BUCKET_WORDS_SHIFT) - 1;
    this.overflow = new OverflowLocks(this);
    this.waiters = new AnnouncedWaiters(words);
  }

  static int wordsOf(int buckets) {
    if (Integer.bitCount(buckets) != 1 || buckets < 1 || buckets > BUCKETS_MAX) {
      throw new IllegalArgumentException("not a power of two up to 2^24 buckets=" + buckets);
    }
    return buckets << BUCKET_WORDS_SHIFT;
  }

  /** Returns the identity of a key: keys with equal identity are one lock. */
  public long identity(long key) {
    long mixed = LockWord.mix(key);
    if (bucketMask > 0xff) {
      return mixed;
    }
    return LockWord.of(LockWord.fingerprint(mixed), (int) mixed & bucketMask);
  }

  /**
   * Tries to acquire a lock. The requester holds neither this lock nor another one with the same
   * identity.
   *
   * @param priority age of the requester: smaller is older, compared by wrap-around subtraction
   * @return GRANTED, WAIT, DIE or BEHIND; CHANGING if only the change lock of mode CHANGE is held
   */
  public LockResult tryAcquire(long key, LockMode mode, long priority) {
    return mode == LockMode.CHANGE
        ? tryAcquireChange(key, priority)
        : tryAcquireOne(key, mode, priority);
  }

  private LockResult tryAcquireChange(long leaf, long priority) {
    LockResult result = tryAcquire(leaf, LockMode.INSERT, priority);
    if (result == LockResult.GRANTED && !tryEnterChange(leaf, priority)) {
      release(leaf, LockMode.INSERT);
      return LockResult.CHANGING;
    }
    return result;
  }

  private boolean tryEnterChange(long leaf, long priority) {
    return tryAcquire(LeafKeys.change(leaf), LockMode.WRITE, priority) == LockResult.GRANTED;
  }

  private void exitChange(long leaf) {
    release(LeafKeys.change(leaf), LockMode.WRITE);
  }

  private LockResult tryAcquireOne(long key, LockMode mode, long priority) {
    long mixed = LockWord.mix(key);
    long fingerprint = LockWord.fingerprint(mixed);
    int base = base(mixed);
    LockResult result = acquireOnce(base, fingerprint, mode, priority);
    return result != LockResult.RETRY ? result : acquireAgain(base, fingerprint, mode, priority);
  }

  /**
   * Loads the bucket of a key into the processor's cache. The result is meaningless, but has to be
   * used, so that the load is not optimised away.
   */
  public long prefetch(long key) {
    int base = base(LockWord.mix(key));
    return words.get(base) + words.get(base + PRIORITIES);
  }

  private LockResult acquireAgain(int base, long fingerprint, LockMode mode, long priority) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      environment.backoff(attempt);
      LockResult result = acquireOnce(base, fingerprint, mode, priority);
      if (result != LockResult.RETRY) {
        return result;
      }
    }
    return LockResult.WAIT;
  }

  private LockResult acquireOnce(int base, long fingerprint, LockMode mode, long priority) {
    if (waiters.isBefore(base, fingerprint, priority)) {
      return LockResult.BEHIND;
    }
    int free = -1;
    for (int i = base; i < base + LOCK_SLOTS; i++) {
      long word = words.get(i);
      if (LockWord.fingerprintOf(word) == fingerprint) {
        return join(i, word, mode, priority);
      }
      if (word == 0 && free < 0) {
        free = i;
      }
    }
    if (free < 0 || hasOverflow(base)) {
      return overflow.acquire(base, fingerprint, mode, priority);
    }
    if (!claim(base, free, fingerprint)) {
      return LockResult.RETRY;
    }
    if (hasOverflow(base) && overflow.contains(base, fingerprint)) {
      words.setRelease(free, 0);
      return LockResult.RETRY;
    }
    publish(free, fingerprint, mode, priority);
    return LockResult.GRANTED;
  }

  private boolean claim(int base, int slot, long fingerprint) {
    if (!words.compareAndSet(slot, 0, LockWord.of(fingerprint, LockWord.CLAIMED))) {
      return false;
    }
    for (int i = base; i < base + LOCK_SLOTS; i++) {
      if (i != slot && LockWord.fingerprintOf(words.get(i)) == fingerprint) {
        words.setRelease(slot, 0);
        return false;
      }
    }
    return true;
  }

  private void publish(int slot, long fingerprint, LockMode mode, long priority) {
    words.setPlain(slot + PRIORITIES, priority);
    words.setRelease(slot, LockWord.of(fingerprint, LockWord.firstCounter(mode)));
  }

  private LockResult join(int slot, long seen, LockMode mode, long priority) {
    long word = seen;
    while (LockWord.admits(LockWord.counter(word), mode)) {
      if (words.compareAndSet(slot, word, word + 2)) {
        lower(slot + PRIORITIES, priority);
        return LockResult.GRANTED;
      }
      word = words.get(slot);
      if (LockWord.fingerprintOf(word) != LockWord.fingerprintOf(seen)) {
        return LockResult.RETRY;
      }
    }
    if (LockWord.counter(word) == LockWord.CLAIMED) {
      return LockResult.RETRY;
    }
    return verdict(words.get(slot + PRIORITIES), priority);
  }

  private void lower(int index, long priority) {
    long current = words.get(index);
    while (priority - current < 0 && !words.compareAndSet(index, current, priority)) {
      current = words.get(index);
    }
  }

  static LockResult verdict(long holder, long requester) {
    return mayWait(holder, requester) ? LockResult.WAIT : LockResult.DIE;
  }

  private static boolean mayWait(long holder, long requester) {
    return requester - holder < 0;
  }

  /**
   * Acquires the lock in a slot if possible. The caller holds the mutex of the overflow map, which
   * does not contain the lock.
   *
   * @return GRANTED, RETRY if the fingerprint is in a slot, or FULL
   */
  LockResult acquireSlotFor(int base, long fingerprint, LockMode mode, long priority) {
    boolean full = true;
    for (int i = base; i < base + LOCK_SLOTS; i++) {
      long word = words.get(i);
      if (LockWord.fingerprintOf(word) == fingerprint) {
        return LockResult.RETRY;
      }
      full &= word != 0;
    }
    if (full) {
      return LockResult.FULL;
    }
    for (int i = base; i < base + LOCK_SLOTS; i++) {
      if (words.get(i) == 0 && claim(base, i, fingerprint)) {
        publish(i, fingerprint, mode, priority);
        return LockResult.GRANTED;
      }
    }
    return LockResult.RETRY;
  }

  /**
   * Turns the requester's read lock into a write lock if it is the only reader.
   *
   * @return GRANTED, WAIT or DIE; the read lock is kept in the latter cases
   * @throws IllegalStateException if the lock is not held for reading
   */
  public LockResult tryUpgrade(long key, long priority) {
    long mixed = LockWord.mix(key);
    long fingerprint = LockWord.fingerprint(mixed);
    int slot = slotOf(base(mixed), fingerprint);
    if (slot < 0) {
      return overflow.upgrade(base(mixed), fingerprint, priority);
    }
    long sole = LockWord.of(fingerprint, LockWord.firstCounter(LockMode.READ));
    long word = words.get(slot);
    while (LockWord.leave(LockWord.counter(word), LockMode.READ) == 0) {
      if (words.compareAndSet(slot, sole, LockWord.of(fingerprint, LockWord.WRITER))) {
        words.setRelease(slot + PRIORITIES, priority);
        return LockResult.GRANTED;
      }
      word = words.get(slot);
    }
    return verdictForReader(words.get(slot + PRIORITIES), priority);
  }

  /**
   * Returns the verdict for a reader that waits to upgrade. The bound may be the requester's own:
   * it is then older than the other readers.
   */
  static LockResult verdictForReader(long holder, long requester) {
    return requester - holder <= 0 ? LockResult.WAIT : LockResult.DIE;
  }

  /**
   * Releases a lock.
   *
   * @throws IllegalStateException if it is not held in this mode; nothing is changed then
   */
  public void release(long key, LockMode mode) {
    if (mode == LockMode.CHANGE) {
      exitChange(key);
      release(key, LockMode.INSERT);
    } else {
      releaseOne(key, mode);
    }
  }

  private void releaseOne(long key, LockMode mode) {
    long mixed = LockWord.mix(key);
    long fingerprint = LockWord.fingerprint(mixed);
    int slot = slotOf(base(mixed), fingerprint);
    if (slot < 0) {
      overflow.release(base(mixed), fingerprint, mode);
      return;
    }
    long word = words.get(slot);
    int left = LockWord.leave(LockWord.counter(word), mode);
    if (mode == LockMode.WRITE) {
      // No other thread changes the word of a write lock.
      words.setRelease(slot, 0);
      return;
    }
    while (!words.compareAndSet(slot, word, left == 0 ? 0 : LockWord.of(fingerprint, left))) {
      word = words.get(slot);
      left = LockWord.leave(LockWord.counter(word), mode);
    }
  }

  /**
   * Keeps younger transactions away from a lock until {@link #withdraw}; called by a transaction
   * that has waited long for it.
   *
   * @return false if another waiter is announced for this lock or another lock of the bucket
   */
  public boolean announce(long key, long priority) {
    long mixed = LockWord.mix(key);
    return waiters.announce(base(mixed), LockWord.fingerprint(mixed), priority);
  }

  /** Counts a wait for a lock that has ended, with or without success. */
  void countWait(long nanos) {
    waits.increment();
    waitNanos.add(nanos);
  }

  /** Returns the number of waits for locks. */
  public long waits() {
    return waits.sum();
  }

  /** Returns the total duration of all waits for locks, in nanoseconds. */
  public long waitNanos() {
    return waitNanos.sum();
  }

  /** Withdraws an announcement that was successful. */
  public void withdraw(long key) {
    waiters.withdraw(base(LockWord.mix(key)));
  }

  /** Returns true if an older transaction holds the lock, or is announced for it. */
  public boolean hasOlder(long key, long priority) {
    return isOlder(holderPriority(key), priority) || isOlder(waiterPriority(key), priority);
  }

  private static boolean isOlder(long otherOrNone, long priority) {
    return otherOrNone != 0 && otherOrNone - priority < 0;
  }

  /** Returns the priority of the announced waiter for a lock, for messages; 0 if there is none. */
  long waiterPriority(long key) {
    long mixed = LockWord.mix(key);
    return waiters.priority(base(mixed), LockWord.fingerprint(mixed));
  }

  /**
   * Returns a lower bound of the priorities of the lock's holders, for messages; 0 if there are
   * none.
   */
  public long holderPriority(long key) {
    long mixed = LockWord.mix(key);
    long fingerprint = LockWord.fingerprint(mixed);
    int slot = slotOf(base(mixed), fingerprint);
    return slot >= 0
        ? words.get(slot + PRIORITIES)
        : overflow.priority(base(mixed), fingerprint, 0);
  }

  /** Returns true if a transaction holds the lock for writing. */
  public boolean isWriteLocked(long key) {
    long mixed = LockWord.mix(key);
    long fingerprint = LockWord.fingerprint(mixed);
    int base = base(mixed);
    int slot = slotOf(base, fingerprint);
    return slot >= 0
        ? words.get(slot) == LockWord.of(fingerprint, LockWord.WRITER)
        : hasOverflow(base) && overflow.isWriter(base, fingerprint);
  }

  /** Returns true if no two keys share a lock; only then keys can be derived from the table. */
  public boolean isExact() {
    return bucketMask > 0xff;
  }

  /**
   * Returns true if any held lock has one of these keys. May also return true for a key whose
   * fingerprint counts as that of a held lock, which happens for one in 2^56 keys. Locks that are
   * acquired or released meanwhile may be missed.
   *
   * @throws IllegalStateException if keys cannot be derived, see {@link #isExact}
   */
  public boolean holdsAny(LongPredicate keys) {
    if (!isExact()) {
      throw new IllegalStateException("the table is too small to derive its keys");
    }
    for (int base = 0; base < words.count(); base += 1 << BUCKET_WORDS_SHIFT) {
      for (int i = base; i < base + LOCK_SLOTS; i++) {
        if (isHeldAndAny(base, words.get(i), keys)) {
          return true;
        }
      }
    }
    return overflow.holdsAny(keys);
  }

  /**
   * Returns true if a word of the table is a lock with one of these keys. A claimed slot counts as
   * held: its grant is stored without a fence, so the requester may have checked the owner of the
   * shard already although this thread does not see the grant yet.
   */
  static boolean isHeldAndAny(int base, long word, LongPredicate keys) {
    if (word == 0) {
      return false;
    }
    long fingerprint = LockWord.fingerprintOf(word);
    int low = base >>> BUCKET_WORDS_SHIFT & LockWord.LOW_MASK;
    return keys.test(LockWord.key(fingerprint, low))
        || fingerprint == 1 && keys.test(LockWord.key(0, low));
  }

  /**
   * Returns the number of locks that are held, each counted once; exact while the table is idle.
   */
  public int heldCount() {
    int count = overflow.size();
    for (int base = 0; base < words.count(); base += 1 << BUCKET_WORDS_SHIFT) {
      for (int i = base; i < base + LOCK_SLOTS; i++) {
        if (LockWord.counter(words.get(i)) != LockWord.CLAIMED) {
          count++;
        }
      }
    }
    return count;
  }

  /**
   * Checks the invariants of an idle table: each fingerprint is in one location, no claim is left,
   * and slot 7 of each bucket counts its locks in the overflow map.
   *
   * @throws IllegalStateException if an invariant is violated
   */
  public void verify() {
    long overflowing = 0;
    for (int base = 0; base < words.count(); base += 1 << BUCKET_WORDS_SHIFT) {
      overflowing += words.get(base + OVERFLOW_SLOT);
      verifyBucket(base);
    }
    check(overflowing == overflow.size(), "overflow total", 0);
  }

  /** Checks the invariants of {@link #verify()} for the bucket of a key only. */
  public void verify(long key) {
    verifyBucket(base(LockWord.mix(key)));
  }

  private void verifyBucket(int base) {
    check(words.get(base + OVERFLOW_SLOT) == overflow.count(base), "overflow count", base);
    for (int i = base; i < base + LOCK_SLOTS; i++) {
      long word = words.get(i);
      long fingerprint = LockWord.fingerprintOf(word);
      check(word == 0 || LockWord.counter(word) != LockWord.CLAIMED, "claim left", i);
      check(word == 0 || !overflow.contains(base, fingerprint), "slot and overflow", i);
      for (int k = i + 1; word != 0 && k < base + LOCK_SLOTS; k++) {
        check(LockWord.fingerprintOf(words.get(k)) != fingerprint, "two slots", i);
      }
    }
  }

  private static void check(boolean holds, String what, int index) {
    if (!holds) {
      throw new IllegalStateException("lock table is broken what=" + what + " index=" + index);
    }
  }

  private int slotOf(int base, long fingerprint) {
    for (int i = base; i < base + LOCK_SLOTS; i++) {
      long word = words.get(i);
      if (LockWord.fingerprintOf(word) == fingerprint
          && LockWord.counter(word) != LockWord.CLAIMED) {
        return i;
      }
    }
    return -1;
  }

  private boolean hasOverflow(int base) {
    return words.get(base + OVERFLOW_SLOT) != 0;
  }

  void raiseOverflow(int base) {
    words.add(base + OVERFLOW_SLOT, 1);
  }

  void lowerOverflow(int base) {
    words.add(base + OVERFLOW_SLOT, -1);
  }

  private int base(long mixed) {
    return ((int) mixed & bucketMask) << BUCKET_WORDS_SHIFT;
  }
}
