package org.nelumbo.executor.engine;

import java.util.function.Consumer;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.gc.RetireQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background collector: keeps the horizons moving, and collects the garbage of closed and idle
 * coordinators, with its own coordinator. It continues after exceptions until the pool is lost or
 * the engine has stopped, since without it the pool would fill up. At its end it makes sure that
 * other compute nodes detect the failure, if there are any.
 */
final class Sweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final long PERIOD_NANOS = 20_000_000L;
  private static final int ITEMS_TOGETHER = 64;

  private final EngineParts engine;
  private final EngineContext context;
  private final Coordinators coordinators;
  private final Consumer<Throwable> onEnd;
  private final BackgroundThread thread;
  private long refreshedNanos;

  /**
   * Creates the sweeper of an engine.
   *
   * @param onEnd receives the reason if the sweeper ends before it is closed; called again if an
   *     exception has ended the call
   */
  Sweeper(EngineParts engine, Coordinators coordinators, Consumer<Throwable> onEnd) {
    this.onEnd = onEnd;
    this.engine = engine;
    this.context = engine.context;
    this.coordinators = coordinators;
    this.thread = new BackgroundThread(context.environment(), "nelumbo-sweeper", this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try (Coordinator coordinator = coordinators.open(engine.fabric)) {
      while (!thread.isStopped()) {
        context.failStop().check();
        refreshHorizon(coordinator);
        engine.adoptWanted(coordinator.channel());
        engine.donateSurplus(coordinator);
        coordinator.retireQueue().takeOrphans();
        coordinators.collectIdle(coordinator);
        collect(coordinator);
        if (engine.memory.takeWanted()) {
          coordinator.allocator().releaseFree();
        }
        context
            .environment()
            .parkNanos(context.isShared() ? engine.horizonPeriodNanos() : PERIOD_NANOS);
      }
    } catch (FabricException | InternalError e) {
      // The JVM throws an InternalError for a page of the pool that cannot be loaded.
      LOG.warn("the background thread stops: {}", e.getMessage());
      onEnd.accept(e);
    } catch (NelumboException e) {
      if (!context.failStop().isStopped()) {
        throw e;
      }
      onEnd.accept(e);
    }
  }

  private void refreshHorizon(Coordinator coordinator) {
    engine.refreshHorizon(coordinator.channel());
    refreshedNanos = context.environment().nanoTime();
  }

  /** Other compute nodes reuse nothing while the horizon stands still. */
  private void refreshHorizonIfDue(Coordinator coordinator) {
    long since = context.environment().nanoTime() - refreshedNanos;
    if (context.isShared() && since >= HorizonExchange.PERIOD_NANOS) {
      refreshHorizon(coordinator);
    }
  }

  /** A few items at a time, so that the sweeper's epoch never holds memory back for long. */
  private void collect(Coordinator coordinator) {
    RetireQueue retired = coordinator.retireQueue();
    for (int left = retired.garbage().size(); left > 0; left -= ITEMS_TOGETHER) {
      engine.memory.setSweeping(true);
      try {
        retired.collect(ITEMS_TOGETHER);
      } finally {
        engine.memory.setSweeping(false);
      }
      refreshHorizonIfDue(coordinator);
    }
  }

  @Override
  public void close() {
    thread.stop();
    thread.join();
  }
}
