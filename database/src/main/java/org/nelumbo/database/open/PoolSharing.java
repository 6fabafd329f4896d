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
 * Lets other compute nodes have a database's pool, too, as soon as one asks for it. Until then the
 * compute node has it alone, which costs it less. A thread of its own asks the memory nodes now and
 * then.
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
   * Not started yet.
   *
   * @param options of the database
   * @param engine has the pool alone
   * @param share has the database share it, as that member
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
          LOG.info("another compute node wants the pool: it is shared from now on");
          share.accept(
              PoolAttachment.newMember(options, engine.environment(), engine.fabric(), pool));
          pool.share();
          return;
        }
      }
    } catch (FabricException | PoolOpenException e) {
      // If the pool is lost the engine hears of it by its own work.
      LOG.warn("other compute nodes cannot be let into the pool: {}", e.getMessage());
    }
  }

  /** Lets nobody in any more; who is being let in is waited for. */
  @Override
  public void close() {
    thread.stop();
    thread.join();
  }

  /** The engine has stopped: nobody is let in any more. */
  void stop() {
    thread.stop();
  }
}
