package org.nelumbo.executor.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.TransactionCounts;

/**
 * The coordinators of an engine: those that are open, what has become of the transactions of all of
 * them. Thread-safe.
 */
public final class Coordinators {
  private final EngineParts engine;
  private final List<Coordinator> open = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Of coordinators that are closed; guarded, with their leaving the list, by the lock. */
  private final TransactionCounts countsOfClosed = new TransactionCounts();

  /** Whether coordinators may no longer be opened; guarded by the lock. */
  private boolean sealed;

  Coordinators(EngineParts engine) {
    this.engine = engine;
  }

  /** The coordinators that are open. */
  List<Coordinator> open() {
    return open;
  }

  /**
   * Opens one whose verbs go through {@code fabric}, which leads to the engine's.
   *
   * @throws NelumboException SHUT_DOWN if there are to be no more; CONNECTION_LOST if the engine
   *     has stopped
   */
  Coordinator open(Fabric fabric) {
    engine.context.failStop().check();
    Coordinator coordinator = new Coordinator(engine, fabric, this::remove);
    boolean added = false;
    try {
      added = add(coordinator);
    } finally {
      if (!added) {
        coordinator.close();
      }
    }
    if (!added) {
      throw new NelumboException(ErrorCode.SHUT_DOWN, "the database has been shut down");
    }
    return coordinator;
  }

  private boolean add(Coordinator coordinator) {
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

  private void remove(Coordinator coordinator) {
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

  /** Whether somebody has garbage; a glance. */
  boolean hasGarbage() {
    for (Coordinator each : open) {
      if (each.retireQueue().garbage().size() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Hands the garbage of coordinators that do nothing to the sweeper's. */
  void collectIdle(Coordinator sweeping) {
    for (Coordinator each : open) {
      if (each != sweeping) {
        each.retireQueue().handOver(sweeping.retireQueue());
      }
    }
  }

  /** Waits while somebody collects garbage of the table. */
  void awaitCollectors(TableStore table) {
    open.forEach(each -> each.retireQueue().awaitAbsence(table));
  }
}
