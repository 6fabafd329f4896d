package org.nelumbo.executor.engine;

import java.util.concurrent.locks.LockSupport;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.executor.gc.GarbageList;
import org.nelumbo.executor.txn.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Background collection: keeps the horizons moving and collects what closed and idle coordinators
 * left behind, with a coordinator of its own.
 */
final class Sweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final long PERIOD_NANOS = 20_000_000L;
  private static final int ITEMS_TOGETHER = 64;
  private static final int ATTEMPTS = 100;

  private final Engine engine;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile boolean collecting;

  Sweeper(Engine engine) {
    this.engine = engine;
    this.thread = engine.environment().thread("nelumbo-sweeper", this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try (Coordinator coordinator = engine.openCoordinator()) {
      while (!stopped) {
        engine.epochs().refreshHorizon();
        GarbageList mine = coordinator.transaction().retireQueue().garbageList();
        engine.coordinators().takeOrphans(mine);
        engine.coordinators().collectIdle(coordinator, mine);
        collect(coordinator.transaction());
        engine.environment().parkNanos(PERIOD_NANOS);
      }
    } catch (FabricException | InternalError e) {
      // An InternalError is what the JVM makes of a page of the pool that cannot be had.
      LOG.warn("the background work stops: {}", e.getMessage());
    }
  }

  /** A few at a time, so that its epoch never holds memory back for long. */
  private void collect(Transaction transaction) {
    for (int left = transaction.retireQueue().garbageList().size();
        left > 0;
        left -= ITEMS_TOGETHER) {
      collecting = true;
      transaction.retireQueue().collect(ITEMS_TOGETHER);
      collecting = false;
    }
  }

  /** Waits, but not for long, while an epoch is pinned here. */
  void awaitPause() {
    for (int attempt = 0; collecting && attempt < ATTEMPTS; attempt++) {
      engine.environment().backoff(attempt);
    }
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
