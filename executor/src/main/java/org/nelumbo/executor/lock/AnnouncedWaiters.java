package org.nelumbo.executor.lock;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The transactions that have waited long for a lock, at most one a bucket. Who is younger than the
 * one that is announced for a lock leaves it alone, be it free or shared; so the lock drains, and
 * its waiter gets it. Thread-safe.
 *
 * <p>The announcement is the word behind the bucket's priorities: the fingerprint of the lock, and
 * a counter of 1. The priority stands elsewhere, since it is hardly ever read: it is written before
 * the announcement. Who reads that of the next waiter by mistake gets one wrong answer, and asks
 * again at its next poll.
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

  /** False if somebody is announced in the bucket already. */
  boolean announce(int base, long fingerprint, long priority) {
    if (!words.compareAndSet(base + WORD, 0, LockWord.of(fingerprint, LockWord.CLAIMED))) {
      return false;
    }
    priorities.set(base >>> BUCKET_WORDS_SHIFT, priority);
    words.setRelease(base + WORD, LockWord.of(fingerprint, ANNOUNCED));
    return true;
  }

  /** Takes back an announcement of the caller's own. */
  void withdraw(int base) {
    words.setRelease(base + WORD, 0);
  }

  /** Whether somebody older waits for the lock. */
  boolean isBefore(int base, long fingerprint, long priority) {
    long word = words.get(base + WORD);
    return word != 0
        && word == LockWord.of(fingerprint, ANNOUNCED)
        && priority - priorities.get(base >>> BUCKET_WORDS_SHIFT) > 0;
  }

  /** Priority of who waits for the lock; 0 if nobody is announced. */
  long priority(int base, long fingerprint) {
    return words.get(base + WORD) == LockWord.of(fingerprint, ANNOUNCED)
        ? priorities.get(base >>> BUCKET_WORDS_SHIFT)
        : 0;
  }
}
