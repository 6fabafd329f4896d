package org.nelumbo.executor.gc;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Garbage of coordinators that have closed, or that have more than they want to remove themselves.
 * The sweeper takes it. Thread-safe.
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

  /**
   * Takes over the garbage of a working coordinator; returns false if too many lists are waiting.
   */
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

  /** Moves all garbage to a list. */
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
