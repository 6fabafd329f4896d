package org.nelumbo.executor.gc;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Garbage of coordinators that have closed, or have more than they want to remove themselves. The
 * sweeper takes it. Thread-safe.
 */
public final class OrphanedGarbage {
  private static final int LISTS_MAX = 256;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final ArrayDeque<GarbageList> lists = new ArrayDeque<>();

  /** Takes over the garbage of a coordinator that is closing. */
  void adopt(GarbageList garbage) {
    if (garbage.size() == 0) {
      return;
    }
    lock.lock();
    try {
      lists.add(garbage);
    } finally {
      lock.unlock();
    }
  }

  /** Takes over the garbage of a working coordinator, unless much of that is waiting already. */
  boolean adoptIfRoom(GarbageList garbage) {
    lock.lock();
    try {
      boolean room = lists.size() < LISTS_MAX;
      if (room) {
        lists.add(garbage.detach());
      }
      return room;
    } finally {
      lock.unlock();
    }
  }

  /** Hands on the garbage that was taken over. */
  void drainTo(GarbageList into) {
    lock.lock();
    try {
      for (GarbageList orphan; (orphan = lists.poll()) != null; ) {
        into.takeFrom(orphan);
      }
    } finally {
      lock.unlock();
    }
  }
}
