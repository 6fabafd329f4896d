package org.nelumbo.executor.txn;

import org.nelumbo.executor.row.KeyBuffer;

/**
 * What the transactions of one coordinator leave behind to be removed, and when that is done: a
 * little after each transaction, by its own thread; or by the sweeper, when the coordinator does
 * nothing, or when removing takes round trips. One thread at a time, but for {@link #handOver} and
 * {@link #collector}.
 */
final class Leftovers {
  private static final int COLLECTED_PER_TRANSACTION = 16;
  private static final int HANDED_OVER_TOGETHER = 64;

  private final Engine engine;
  private final int slot;
  private final boolean remote;
  private final Coordinator coordinator;
  private final Garbage garbage;
  private final Occupancy occupancy;
  private final Collector collector;
  private final KeyBuffer key = new KeyBuffer();
  private long transactions;

  /** What {@link #transactions} was at the sweeper's last visit. */
  private long sweptAt;

  Leftovers(Coordinator coordinator, VersionReader reader) {
    this.coordinator = coordinator;
    this.engine = coordinator.engine();
    this.slot = coordinator.slot();
    this.remote = engine.cvtCache() != null;
    this.garbage = new Garbage(coordinator.channel(), coordinator.allocator());
    this.occupancy = new Occupancy(engine.environment());
    this.collector = new Collector(coordinator, reader, garbage);
  }

  Garbage garbage() {
    return garbage;
  }

  Collector collector() {
    return collector;
  }

  /** A transaction begins: the sweeper stays away until {@link #leave}. */
  void enter() {
    occupancy.enter();
    transactions++;
  }

  /** The transaction has ended, and so has what it does here. */
  void leave() {
    occupancy.leave();
  }

  /** Entries that the commit made stale are removed when no snapshot needs them any more. */
  void takeStaleEntries(IndexJournal journal, WriteSet writes) {
    long timestamp = engine.clock().now();
    for (int i = 0; i < journal.size(); i++) {
      if (isStale(journal, writes, i)) {
        journal.key(i, key);
        garbage.addIndexEntry(
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
  void collectSome() {
    if (garbage.size() > 0 && !leftToSweeper()) {
      collectPinned(COLLECTED_PER_TRANSACTION);
    }
  }

  /**
   * Whether garbage need not be collected here: on a remote fabric that takes some round trips for
   * each piece, for which nobody's commit should wait as long as the sweeper keeps up.
   */
  private boolean leftToSweeper() {
    return remote
        && (garbage.size() < HANDED_OVER_TOGETHER || engine.coordinators().adoptIfRoom(garbage));
  }

  /** Removes up to so many whose time has come; no transaction is active. */
  void collect(int limit) {
    occupancy.enter();
    try {
      collectPinned(limit);
    } finally {
      occupancy.leave();
    }
  }

  private void collectPinned(int limit) {
    coordinator.beginChange();
    engine.epochs().pin(slot);
    try {
      engine.refreshHorizonIfStale(garbage.size());
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
  void handOver(Garbage to) {
    if (garbage.size() > 0 && occupancy.tryVisit()) {
      if (transactions == sweptAt) {
        to.takeFrom(garbage);
      }
      sweptAt = transactions;
      occupancy.leave();
    }
  }

  /** The coordinator is closing: its garbage goes to the engine, and no transaction begins. */
  void close() {
    occupancy.enter();
    engine.coordinators().adopt(garbage);
  }
}
