package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.gc.RetireQueue;

/**
 * The end of a compute node that leaves a pool in order. Nothing may be half done then, and nothing
 * may be left that only this process knows of: what commits left behind is collected first. Where
 * that cannot be said, or would take long, nothing is written, and who attaches next looks at
 * everything.
 */
final class CleanShutdown {
  private static final long COLLECTING_NANOS_MAX = 2_000_000_000L;
  private static final int ITEMS_TOGETHER = 256;

  private final Engine engine;
  private final ChunkPool depot;

  CleanShutdown(Engine engine, ChunkPool depot) {
    this.engine = engine;
    this.depot = depot;
  }

  /** Where the free-space map begins, NULL if there is none. */
  long run(long epoch) {
    if (!leavesNothing() || engine.isUnclean()) {
      return PoolAddress.NULL;
    }
    return FreeSpaceMapWriter.write(engine.fabric(), depot, epoch, engine.clock().now());
  }

  /** Whether nobody has the pool open any more, and nothing is left to be collected. */
  private boolean leavesNothing() {
    try (Coordinator last = engine.openCoordinator()) {
      if (!engine.coordinators().seal(last)) {
        return false;
      }
      RetireQueue retireQueue = last.transaction().retireQueue();
      engine.coordinators().takeOrphans(retireQueue.garbageList());
      collect(retireQueue);
      engine.logDirectory().close(last.channel(), last.allocator());
      return retireQueue.garbageList().size() == 0;
    }
  }

  private void collect(RetireQueue retireQueue) {
    long start = engine.environment().nanoTime();
    for (int attempt = 0;
        retireQueue.garbageList().size() > 0
            && engine.environment().nanoTime() - start < COLLECTING_NANOS_MAX;
        attempt++) {
      int before = retireQueue.garbageList().size();
      engine.epochs().refreshHorizon();
      retireQueue.collect(ITEMS_TOGETHER);
      if (retireQueue.garbageList().size() == before) {
        engine.environment().backoff(attempt);
      }
    }
  }
}
