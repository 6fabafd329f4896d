package org.nelumbo.executor.gc;

import org.nelumbo.executor.context.ChangeTracker;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.Leftovers;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.version.VersionReader;

/**
 * The queue of what the transactions of one coordinator leave behind to be removed, and when: a
 * little after each transaction, by its own thread; or by the sweeper, when the coordinator does
 * nothing, or when removing takes round trips. One thread at a time, but for {@link #handOver} and
 * {@link #awaitAbsence}.
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

  /** What {@link #transactions} was at the sweeper's last visit. */
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

  /** What is to be removed. */
  public GarbageList garbage() {
    return garbage;
  }

  /** Waits while somebody removes what is here from a table that was marked as dropped before. */
  public void awaitAbsence(TableStore dropped) {
    collector.awaitAbsence(dropped);
  }

  /** A transaction begins: the sweeper stays away until {@link #leave}. */
  public void enter() {
    latch.enter();
    transactions++;
  }

  /** The transaction has ended, and so has what it does here. */
  public void leave() {
    latch.leave();
  }

  /** Removes a few, after a transaction, which has ended well whatever comes of that. */
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
   * Whether garbage need not be collected here: on a remote fabric that takes some round trips for
   * each piece, for which nobody's commit should wait as long as the sweeper keeps up.
   */
  private boolean leftToSweeper() {
    return remote && (garbage.size() < HANDED_OVER_TOGETHER || orphans.adoptIfRoom(garbage));
  }

  /** Removes up to so many whose time has come; no transaction is active. */
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

  /** The cost is a look at every coordinator, so it is not for each transaction. */
  private void refreshHorizonIfStale() {
    if (garbage.size() >= REFRESH_AT_GARBAGE) {
      epochs.refreshHorizon();
    }
  }

  /** Takes over what closed coordinators, or those with too much, have left. */
  public void takeOrphans() {
    orphans.drainTo(garbage);
  }

  /**
   * Leaves what is here to the sweeper, in a transaction that waits for memory: nobody else can
   * collect it before the transaction ends.
   */
  public void giveAway() {
    if (garbage.size() > 0) {
      orphans.adoptIfRoom(garbage);
    }
  }

  /**
   * Called by the sweeper: hands over the garbage if there has been no transaction since the last
   * call.
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

  /** The coordinator is closing: its garbage goes to the engine, and no transaction begins. */
  public void close() {
    latch.enter();
    orphans.adopt(garbage);
  }
}
