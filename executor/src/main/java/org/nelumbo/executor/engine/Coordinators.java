package org.nelumbo.executor.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.TransactionCounts;
import org.nelumbo.executor.version.RowGuard;

/**
 * The open coordinators of an engine, and the counts of the transactions of all its coordinators.
 * Thread-safe.
 */
public final class Coordinators {
  private final EngineParts engine;
  private final List<Coordinator> open = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Counts of closed coordinators; the lock guards them, and the removal of coordinators from the
   * list.
   */
  private final TransactionCounts countsOfClosed = new TransactionCounts();

  /** True if no more coordinators may be opened; guarded by the lock. */
  private boolean sealed;

  Coordinators(EngineParts engine) {
    this.engine = engine;
  }

  /** Returns the open coordinators. */
  List<Coordinator> open() {
    return open;
  }

  /**
   * Opens a coordinator whose verbs go through {@code fabric}, the engine's fabric or a decorator
   * of it.
   *
   * @throws NelumboException SHUT_DOWN if no more may be opened; CONNECTION_LOST if the engine has
   *     stopped
   */
  Coordinator open(Fabric fabric) {
    return open(fabric, _ -> null);
  }

  /**
   * Does the same as the method above, with a row guard.
   *
   * @param guards creates the guard; returns null for none
   */
  Coordinator open(Fabric fabric, Function<CoordinatorContext, RowGuard> guards) {
    engine.context.failStop().check();
    Coordinator coordinator = new Coordinator(engine, fabric, guards, this::remove);
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

  /**
   * Prevents further coordinators. Returns false, and prevents nothing, if a coordinator other than
   * {@code last} is open.
   */
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

  /** Returns a copy of the counts of all transactions. */
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

  /** Returns true if a coordinator seems to have garbage; the check is not synchronized. */
  boolean hasGarbage() {
    for (Coordinator each : open) {
      if (each.retireQueue().garbage().size() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Hands the garbage of idle coordinators to the sweeper. */
  void collectIdle(Coordinator sweeping) {
    for (Coordinator each : open) {
      if (each != sweeping) {
        each.retireQueue().handOver(sweeping.retireQueue());
      }
    }
  }

  /** Waits while a collector works on the table. */
  void awaitCollectors(TableStore table) {
    open.forEach(each -> each.retireQueue().awaitAbsence(table));
  }
}
