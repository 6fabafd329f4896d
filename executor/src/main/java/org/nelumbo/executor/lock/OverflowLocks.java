package org.nelumbo.executor.lock;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;

/**
 * The locks that did not fit into their buckets; only transactions with very many locks use them.
 * {@link LockTable} explains why they are safe beside the lock-free slots. Thread-safe: striped by
 * bucket, with one mutex per stripe, which guards its map. No other lock is acquired under a mutex.
 */
final class OverflowLocks {
  private static final int STRIPES = 64;

  private final LockTable table;
  private final Stripe[] stripes = new Stripe[STRIPES];

  private static final class Stripe {
    final ReentrantLock mutex = new ReentrantLock();
    final OverflowMap locks = new OverflowMap();
  }

  OverflowLocks(LockTable table) {
    this.table = table;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  private Stripe stripe(int base) {
    return stripes[base >>> 4 & STRIPES - 1];
  }

  boolean contains(int base, long fingerprint) {
    Stripe stripe = stripe(base);
    stripe.mutex.lock();
    try {
      return stripe.locks.find(base, fingerprint) >= 0;
    } finally {
      stripe.mutex.unlock();
    }
  }

  /** Acquires a lock here, or in a slot of its bucket if one is free by now. */
  LockResult acquire(int base, long fingerprint, LockMode mode, long priority) {
    Stripe stripe = stripe(base);
    stripe.mutex.lock();
    try {
      OverflowMap locks = stripe.locks;
      int at = locks.find(base, fingerprint);
      if (at >= 0) {
        return join(locks, at, mode, priority);
      }
      table.raiseOverflow(base);
      LockResult result = table.acquireSlotFor(base, fingerprint, mode, priority);
      if (result != LockResult.FULL) {
        table.lowerOverflow(base);
        return result;
      }
      locks.add(base, fingerprint, LockWord.firstCounter(mode), priority);
      return LockResult.GRANTED;
    } finally {
      stripe.mutex.unlock();
    }
  }

  private static LockResult join(OverflowMap locks, int at, LockMode mode, long priority) {
    if (!LockWord.admits(locks.counter(at), mode)) {
      return LockTable.verdict(locks.priority(at), priority);
    }
    boolean older = priority - locks.priority(at) < 0;
    locks.set(at, locks.counter(at) + 2, older ? priority : locks.priority(at));
    return LockResult.GRANTED;
  }

  LockResult upgrade(int base, long fingerprint, long priority) {
    Stripe stripe = stripe(base);
    stripe.mutex.lock();
    try {
      OverflowMap locks = stripe.locks;
      int at = held(locks, base, fingerprint);
      if (LockWord.leave(locks.counter(at), LockMode.READ) != 0) {
        return LockTable.verdictForReader(locks.priority(at), priority);
      }
      locks.set(at, LockWord.WRITER, priority);
      return LockResult.GRANTED;
    } finally {
      stripe.mutex.unlock();
    }
  }

  void release(int base, long fingerprint, LockMode mode) {
    Stripe stripe = stripe(base);
    stripe.mutex.lock();
    try {
      OverflowMap locks = stripe.locks;
      int at = held(locks, base, fingerprint);
      int left = LockWord.leave(locks.counter(at), mode);
      if (left != 0) {
        locks.set(at, left, locks.priority(at));
      } else {
        locks.remove(at);
        table.lowerOverflow(base);
      }
    } finally {
      stripe.mutex.unlock();
    }
  }

  private static int held(OverflowMap locks, int base, long fingerprint) {
    int at = locks.find(base, fingerprint);
    if (at < 0) {
      throw new IllegalStateException(
          "lock is not held fingerprint=" + Long.toHexString(fingerprint));
    }
    return at;
  }

  /**
   * Returns a lower bound of the holders' priorities, or {@code otherwise} if the lock is not here.
   */
  long priority(int base, long fingerprint, long otherwise) {
    Stripe stripe = stripe(base);
    stripe.mutex.lock();
    try {
      int at = stripe.locks.find(base, fingerprint);
      return at < 0 ? otherwise : stripe.locks.priority(at);
    } finally {
      stripe.mutex.unlock();
    }
  }

  boolean isWriter(int base, long fingerprint) {
    Stripe stripe = stripe(base);
    stripe.mutex.lock();
    try {
      int at = stripe.locks.find(base, fingerprint);
      return at >= 0 && stripe.locks.counter(at) == LockWord.WRITER;
    } finally {
      stripe.mutex.unlock();
    }
  }

  boolean holdsAny(LongPredicate keys) {
    for (Stripe stripe : stripes) {
      stripe.mutex.lock();
      try {
        if (stripe.locks.any((base, word) -> LockTable.isHeldAndAny(base, word, keys))) {
          return true;
        }
      } finally {
        stripe.mutex.unlock();
      }
    }
    return false;
  }

  int size() {
    int size = 0;
    for (Stripe stripe : stripes) {
      stripe.mutex.lock();
      try {
        size += stripe.locks.size();
      } finally {
        stripe.mutex.unlock();
      }
    }
    return size;
  }

  /** Returns the number of locks of one bucket. */
  int count(int base) {
    Stripe stripe = stripe(base);
    stripe.mutex.lock();
    try {
      return stripe.locks.count(base);
    } finally {
      stripe.mutex.unlock();
    }
  }
}
