package org.nelumbo.database.open;

import java.util.function.Consumer;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.engine.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Background task that changes an exclusive pool to a shared one when another compute node sends a
 * join request. Until then exclusive use is cheaper. A separate thread polls the memory nodes for
 * join requests.
 */
final class PoolSharing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PoolSharing.class);
  private static final long LOOK_NANOS = 100_000_000L;

  private final DatabaseOptions options;
  private final Engine engine;
  private final SharedPool pool;
  private final Consumer<ClusterMember> share;
  private final BackgroundThread thread;

  /**
   * Creates a task that is not started.
   *
   * @param options options of the database
   * @param engine engine that has the pool exclusively
   * @param share makes the database share its pool, as the given member
   */
  PoolSharing(
      DatabaseOptions options, Engine engine, SharedPool pool, Consumer<ClusterMember> share) {
    this.options = options;
    this.engine = engine;
    this.pool = pool;
    this.share = share;
    this.thread =
        new BackgroundThread(
            engine.environment(),
            "nelumbo-sharing",
            this::run,
            why -> {
              engine.stop(why);
              return false;
            });
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!thread.isStopped()) {
        engine.environment().parkNanos(LOOK_NANOS);
        if (!thread.isStopped() && pool.isWanted()) {
          LOG.info("another compute node has requested to join: the pool is now shared");
          share.accept(
              PoolAttachment.newMember(options, engine.environment(), engine.fabric(), pool));
          pool.share();
          return;
        }
      }
    } catch (FabricException | PoolOpenException e) {
      // If the pool is lost, the engine detects that by its own operations.
      LOG.warn("other compute nodes cannot join the pool: {}", e.getMessage());
    }
  }

  /** Stops admitting compute nodes, and waits for an admission in progress. */
  @Override
  public void close() {
    thread.stop();
    thread.join();
  }

  /** Stops admitting compute nodes, because the engine has stopped. */
  void stop() {
    thread.stop();
  }
}
