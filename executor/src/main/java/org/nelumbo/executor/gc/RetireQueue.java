package org.nelumbo.executor.gc;

import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.index.IndexJournal;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.version.VersionReader;

/**
 * The queue of what the transactions of one coordinator leave behind to be removed, and when: a
 * little after each transaction, by its own thread; or by the sweeper, when the coordinator does
 * nothing, or when removing takes round trips. One thread at a time, but for {@link #handOver} and
 * {@link #collector}.
 */
public final class RetireQueue {
  private static final int COLLECTED_PER_TRANSACTION = 16;
  private static final int HANDED_OVER_TOGETHER = 64;

  private final Engine engine;
  private final int slot;
  private final boolean remote;
  private final Coordinator coordinator;
  private final GarbageList garbageList;
  private final CoordinatorLatch latch;
  private final Collector collector;
  private final KeyBuffer key = new KeyBuffer();
  private long transactions;

  /** What {@link #transactions} was at the sweeper's last visit. */
  private long sweptAt;

  public RetireQueue(Coordinator coordinator, VersionReader reader) {
    this.coordinator = coordinator;
    this.engine = coordinator.engine();
    this.slot = coordinator.slot();
    this.remote = engine.cvtCache() != null;
    this.garbageList = new GarbageList(coordinator.channel(), coordinator.allocator());
    this.latch = new CoordinatorLatch(engine.environment());
    this.collector = new Collector(coordinator, reader, garbageList);
  }

  public GarbageList garbageList() {
    return garbageList;
  }

  public Collector collector() {
    return collector;
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

  /** Entries that the commit made stale are removed when no snapshot needs them any more. */
  public void retireStaleEntries(IndexJournal journal, WriteSet writes) {
    long timestamp = engine.clock().now();
    for (int i = 0; i < journal.size(); i++) {
      if (isStale(journal, writes, i)) {
        journal.key(i, key);
        garbageList.addIndexEntry(
            journal.index(i), key, journal.lotusKey(i), journal.cvt(i), timestamp);
      }
    }
    journal.truncate(0);
  }

  private static boolean isStale(IndexJournal journal, WriteSet writes, int i) {
    return switch (journal.kind(i)) {
      case IndexJournal.STALE -> true;
      case IndexJournal.STALE_UNLESS_DELETED ->
          !writes.deletes(journal.lotusKey(i), journal.cvt(i));
      default -> false;
    };
  }

  /** Removes a few, after a transaction. */
  public void collectSome() {
    if (garbageList.size() > 0 && !leftToSweeper()) {
      collectPinned(COLLECTED_PER_TRANSACTION);
    }
  }

  /**
   * Whether garbage need not be collected here: on a remote fabric that takes some round trips for
   * each piece, for which nobody's commit should wait as long as the sweeper keeps up.
   */
  private boolean leftToSweeper() {
    return remote
        && (garbageList.size() < HANDED_OVER_TOGETHER
            || engine.coordinators().adoptIfRoom(garbageList));
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
    coordinator.beginChange();
    engine.epochs().pin(slot);
    try {
      engine.refreshHorizonIfStale(garbageList.size());
      collector.collect(limit);
      coordinator.endChange();
    } finally {
      engine.epochs().unpin(slot);
    }
  }

  /**
   * Called by the sweeper: hands over the garbage if there has been no transaction since the last
   * call.
   */
  public void handOver(GarbageList to) {
    if (garbageList.size() > 0 && latch.tryVisit()) {
      if (transactions == sweptAt) {
        to.takeFrom(garbageList);
      }
      sweptAt = transactions;
      latch.leave();
    }
  }

  /** The coordinator is closing: its garbage goes to the engine, and no transaction begins. */
  public void close() {
    latch.enter();
    engine.coordinators().adopt(garbageList);
  }
}
