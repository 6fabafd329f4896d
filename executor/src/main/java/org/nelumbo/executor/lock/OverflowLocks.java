package org.nelumbo.executor.lock;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks that did not fit into their buckets. Only transactions with very many locks get here, so one mutex guards all of it; what makes it safe beside the lock-free slots is
 * told in {@link LockTable}. Thread-safe.
 */
final class OverflowLocks {
  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<Key, Lock> locks = new HashMap<>();

  private record Key(int base, long fingerprint) {}

  private static final class Lock {
    int counter;
    long priority;
  }

  boolean contains(int base, long fingerprint) {
    mutex.lock();
    try {
      return locks.containsKey(new Key(base, fingerprint));
    } finally {
      mutex.unlock();
    }
  }

  /** Takes the lock here, or in its slot if it has one. */
  int acquire(LockTable table, int base, long fingerprint, int mode, long priority) {
    mutex.lock();
    try {
      Key key = new Key(base, fingerprint);
      Lock lock = locks.get(key);
      if (lock != null) {
        return join(lock, mode, priority);
      }
      table.raiseOverflow(base);
      int slot = table.slotOf(base, fingerprint);
      if (slot >= 0) {
        table.lowerOverflow(base);
        return table.joinSlot(base, slot, fingerprint, mode, priority);
      }
      lock = new Lock();
      lock.counter = LockWord.firstCounter(mode);
      lock.priority = priority;
      locks.put(key, lock);
      return LockTable.GRANTED;
    } finally {
      mutex.unlock();
    }
  }

  private static int join(Lock lock, int mode, long priority) {
    if (!LockWord.admitsCounter(lock.counter, mode)) {
      return LockTable.verdict(lock.priority, priority);
    }
    lock.counter += 2;
    if (priority - lock.priority < 0) {
      lock.priority = priority;
    }
    return LockTable.GRANTED;
  }

  /** The result of the upgrade, or -1 if the lock is not here. */
  int upgrade(int base, long fingerprint, long priority) {
    mutex.lock();
    try {
      Lock lock = locks.get(new Key(base, fingerprint));
      if (lock == null) {
        return -1;
      }
      if (lock.counter != LockWord.firstCounter(LockTable.READ)) {
        return LockTable.verdictForReader(lock.priority, priority);
      }
      lock.counter = LockWord.firstCounter(LockTable.WRITE);
      lock.priority = priority;
      return LockTable.GRANTED;
    } finally {
      mutex.unlock();
    }
  }

  /** Gives the lock back; false if it is not here. */
  boolean release(LockTable table, int base, long fingerprint, int mode) {
    mutex.lock();
    try {
      Key key = new Key(base, fingerprint);
      Lock lock = locks.get(key);
      if (lock == null) {
        return false;
      }
      lock.counter = LockWord.leftCounter(lock.counter, mode);
      if (lock.counter == 0) {
        locks.remove(key);
        table.lowerOverflow(base);
      }
      return true;
    } finally {
      mutex.unlock();
    }
  }

  /** Lower bound of the holders' priorities, or {@code otherwise} if the lock is not here. */
  long priority(int base, long fingerprint, long otherwise) {
    mutex.lock();
    try {
      Lock lock = locks.get(new Key(base, fingerprint));
      return lock == null ? otherwise : lock.priority;
    } finally {
      mutex.unlock();
    }
  }

  int size() {
    mutex.lock();
    try {
      return locks.size();
    } finally {
      mutex.unlock();
    }
  }
}
