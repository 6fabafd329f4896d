package org.nelumbo.executor.lock;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The transactions that have waited long for a lock, at most one for each bucket. Transactions that
 * are younger than the announced waiter of a lock do not take that lock, be it free or shared. So
 * the lock drains, and its waiter gets it. Thread-safe.
 *
 * <p>The announcement is the word behind the bucket's priorities: the fingerprint of the lock, and
 * a counter of 1. The priority is stored in a separate array, since it is rarely read, and is
 * written before the announcement. A transaction that reads the priority of the next waiter by
 * mistake gets one wrong result, and repeats its request at its next poll.
 */
final class AnnouncedWaiters {
  private static final int WORD = 15;
  private static final int ANNOUNCED = 1;
  private static final int BUCKET_WORDS_SHIFT = 4;

  private final LockMemory words;
  private final AtomicLongArray priorities;

  AnnouncedWaiters(LockMemory words) {
    this.words = words;
    this.priorities = new AtomicLongArray(words.count() >>> BUCKET_WORDS_SHIFT);
  }

  /** Announces a waiter; returns false if the bucket has an announcement already. */
  boolean announce(int base, long fingerprint, long priority) {
    if (!words.compareAndSet(base + WORD, 0, LockWord.of(fingerprint, LockWord.CLAIMED))) {
      return false;
    }
    priorities.set(base >>> BUCKET_WORDS_SHIFT, priority);
    words.setRelease(base + WORD, LockWord.of(fingerprint, ANNOUNCED));
    return true;
  }

  /** Removes the caller's own announcement. */
  void withdraw(int base) {
    words.setRelease(base + WORD, 0);
  }

  /** Returns true if an older transaction waits for the lock. */
  boolean isBefore(int base, long fingerprint, long priority) {
    long word = words.get(base + WORD);
    return word != 0
        && word == LockWord.of(fingerprint, ANNOUNCED)
        && priority - priorities.get(base >>> BUCKET_WORDS_SHIFT) > 0;
  }

  /** Returns the priority of the announced waiter for the lock; 0 if there is none. */
  long priority(int base, long fingerprint) {
    return words.get(base + WORD) == LockWord.of(fingerprint, ANNOUNCED)
        ? priorities.get(base >>> BUCKET_WORDS_SHIFT)
        : 0;
  }
}
