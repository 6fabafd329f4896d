package org.nelumbo.executor.gc;

import org.nelumbo.executor.context.ChangeTracker;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.Leftovers;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.version.VersionReader;

/**
 * The garbage of one coordinator's transactions, and the schedule of its removal. The coordinator's
 * own thread removes a few items after each transaction. The sweeper removes them when the
 * coordinator is idle or when removal takes round trips. Used by one thread at a time, except for
 * {@link #handOver} and {@link #awaitAbsence}.
 */
public final class RetireQueue {
  private static final int COLLECTED_PER_TRANSACTION = 16;
  private static final int HANDED_OVER_TOGETHER = 64;

  private static final int REFRESH_AT_GARBAGE = 32;

  private final Epochs epochs;
  private final int slot;
  private final boolean remote;
  private final ChangeTracker changes;
  private final Leftovers leftovers;
  private final OrphanedGarbage orphans;
  private final GarbageList garbage;
  private final CoordinatorLatch latch;
  private final Collector collector;
  private long transactions;

  private long sweptAt;

  public RetireQueue(CoordinatorContext context, OrphanedGarbage orphans, VersionReader reader) {
    this.epochs = context.epochs();
    this.slot = context.slot();
    this.remote = context.caches().isRemote();
    this.changes = context.changes();
    this.leftovers = context.leftovers();
    this.orphans = orphans;
    this.garbage = new GarbageList(context.channel(), context.allocator(), remote);
    this.latch = new CoordinatorLatch(context.environment());
    this.collector = new Collector(context, reader, garbage);
  }

  /** Returns the garbage that is to be removed. */
  public GarbageList garbage() {
    return garbage;
  }

  /** Waits while garbage is removed here from a table that was marked as dropped before. */
  public void awaitAbsence(TableStore dropped) {
    collector.awaitAbsence(dropped);
  }

  /** Begins a transaction: the sweeper stays away until {@link #leave}. */
  public void enter() {
    latch.enter();
    transactions++;
  }

  /** Ends the transaction, with all its work here. */
  public void leave() {
    latch.leave();
  }

  /** Removes a few items after a transaction, whose outcome does not depend on that. */
  public void collectSome() {
    try {
      if (garbage.size() > 0 && !leftToSweeper()) {
        collectPinned(COLLECTED_PER_TRANSACTION);
      }
    } catch (Throwable t) {
      leftovers.note("garbage after a transaction", t);
    }
  }

  /**
   * On a remote fabric each item takes some round trips, and no commit should wait for these as
   * long as the sweeper keeps up.
   */
  private boolean leftToSweeper() {
    return remote && (garbage.size() < HANDED_OVER_TOGETHER || orphans.adoptIfRoom(garbage));
  }

  /** Removes up to {@code limit} items that the horizon has passed; no transaction is active. */
  public void collect(int limit) {
    latch.enter();
    try {
      collectPinned(limit);
    } finally {
      latch.leave();
    }
  }

  private void collectPinned(int limit) {
    changes.begin();
    epochs.pin(slot);
    try {
      refreshHorizonIfStale();
      collector.collect(limit);
      changes.end();
    } finally {
      epochs.unpin(slot);
    }
  }

  /** Not done for each transaction, since it reads the slots of all coordinators. */
  private void refreshHorizonIfStale() {
    if (garbage.size() >= REFRESH_AT_GARBAGE) {
      epochs.refreshHorizon();
    }
  }

  /** Takes over the garbage that other coordinators have given up. */
  public void takeOrphans() {
    orphans.drainTo(garbage);
  }

  /**
   * Gives the garbage to the sweeper, in a transaction that waits for memory and that would
   * otherwise delay its collection.
   */
  public void giveAway() {
    if (garbage.size() > 0) {
      orphans.adoptIfRoom(garbage);
    }
  }

  /**
   * Hands over the garbage if there has been no transaction since the last call. Called by the
   * sweeper.
   */
  public void handOver(RetireQueue to) {
    if (garbage.size() > 0 && latch.tryVisit()) {
      try {
        if (transactions == sweptAt) {
          to.garbage.takeFrom(garbage);
        }
        sweptAt = transactions;
      } finally {
        latch.leave();
      }
    }
  }

  /** Closes the queue: its garbage goes to the engine, and no transaction begins. */
  public void close() {
    latch.enter();
    orphans.adopt(garbage);
  }
}
