package org.nelumbo.executor.txn;

import org.nelumbo.dm.alloc.ChunkDepot;
import org.nelumbo.dm.alloc.InventoryWriter;
import org.nelumbo.dm.fabric.PoolAddress;

/**
 * The end of a compute node that leaves a pool in order. Nothing may be half done then, and nothing
 * may be left that only this process knows of: what commits left behind is collected first. Where
 * that cannot be said, or would take long, nothing is written, and who attaches next looks at
 * everything.
 */
final class StockTaking {
  private static final long COLLECTING_NANOS_MAX = 2_000_000_000L;
  private static final int ITEMS_TOGETHER = 256;

  private final Engine engine;
  private final ChunkDepot depot;

  StockTaking(Engine engine, ChunkDepot depot) {
    this.engine = engine;
    this.depot = depot;
  }

  /** Where the inventory begins, NULL if there is none. */
  long run(long epoch) {
    if (!leavesNothing() || engine.isSpoiled()) {
      return PoolAddress.NULL;
    }
    return InventoryWriter.write(engine.fabric(), depot, epoch, engine.clock().now());
  }

  /** Whether nobody has the pool open any more, and nothing is left to be collected. */
  private boolean leavesNothing() {
    try (Coordinator last = engine.openCoordinator()) {
      if (!engine.coordinators().seal(last)) {
        return false;
      }
      Leftovers leftovers = last.transaction().leftovers();
      engine.coordinators().takeOrphans(leftovers.garbage());
      collect(leftovers);
      engine.logDirectory().close(last.channel(), last.allocator());
      return leftovers.garbage().size() == 0;
    }
  }

  private void collect(Leftovers leftovers) {
    long start = engine.environment().nanoTime();
    for (int attempt = 0;
        leftovers.garbage().size() > 0
            && engine.environment().nanoTime() - start < COLLECTING_NANOS_MAX;
        attempt++) {
      int before = leftovers.garbage().size();
      engine.epochs().refreshHorizon();
      leftovers.collect(ITEMS_TOGETHER);
      if (leftovers.garbage().size() == before) {
        engine.environment().backoff(attempt);
      }
    }
  }
}
