package org.nelumbo.executor.engine;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.executor.gc.GarbageList;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.TransactionCounts;

/**
 * The coordinators of an engine: those that are open, what has become of the transactions of all of
 * them, and the garbage that some have left to the sweeper. Thread-safe.
 */
public final class Coordinators {
  private static final int ORPHANS_MAX = 256;

  private final List<Coordinator> open = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Of coordinators that are closed; guarded, with their leaving the list, by the lock. */
  private final TransactionCounts countsOfClosed = new TransactionCounts();

  /** Whether coordinators may no longer be opened; guarded by the lock. */
  private boolean sealed;

  /** Garbage nobody owns; guarded by the lock. */
  private final ArrayDeque<GarbageList> orphans = new ArrayDeque<>();

  /** Those that are open. */
  List<Coordinator> open() {
    return open;
  }

  /** Adds one; false if there are to be no more. */
  boolean add(Coordinator coordinator) {
    lock.lock();
    try {
      return !sealed && open.add(coordinator);
    } finally {
      lock.unlock();
    }
  }

  /** There are no more from now on; false, and all stays as it is, if one is open but this. */
  boolean seal(Coordinator last) {
    lock.lock();
    try {
      sealed = open.size() == 1 && open.contains(last);
      return sealed;
    } finally {
      lock.unlock();
    }
  }

  /** A coordinator closes. */
  void remove(Coordinator coordinator) {
    lock.lock();
    try {
      open.remove(coordinator);
      countsOfClosed.addAll(coordinator.transaction().counts());
    } finally {
      lock.unlock();
    }
  }

  /** How all transactions ended; a copy. */
  TransactionCounts counts() {
    TransactionCounts sum = new TransactionCounts();
    lock.lock();
    try {
      sum.addAll(countsOfClosed);
      open.forEach(each -> sum.addAll(each.transaction().counts()));
    } finally {
      lock.unlock();
    }
    return sum;
  }

  /** Takes over the garbage of a coordinator that is closing. */
  public void adopt(GarbageList garbageList) {
    if (garbageList.size() == 0) {
      return;
    }
    lock.lock();
    try {
      orphans.add(garbageList);
    } finally {
      lock.unlock();
    }
  }

  /** Takes over the garbage of a working coordinator, unless much of that is waiting already. */
  public boolean adoptIfRoom(GarbageList garbageList) {
    lock.lock();
    try {
      boolean room = orphans.size() < ORPHANS_MAX;
      if (room) {
        orphans.add(garbageList.detach());
      }
      return room;
    } finally {
      lock.unlock();
    }
  }

  /** Hands on the garbage that was taken over. */
  void takeOrphans(GarbageList into) {
    lock.lock();
    try {
      for (GarbageList orphan; (orphan = orphans.poll()) != null; ) {
        into.takeFrom(orphan);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes the garbage of coordinators that do nothing. */
  void collectIdle(Coordinator sweeping, GarbageList into) {
    for (Coordinator each : open) {
      if (each != sweeping) {
        each.transaction().retireQueue().handOver(into);
      }
    }
  }

  /** Waits while somebody collects garbage of the table. */
  void awaitCollectors(TableStore table) {
    open.forEach(each -> each.transaction().retireQueue().collector().awaitAbsence(table));
  }
}
