package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.gc.RetireQueue;

/**
 * The orderly departure of a compute node from a pool. Nothing may be half done, and no state may
 * remain that only this process has: garbage of commits is collected first. If that cannot be
 * ensured, or would take long, nothing is written, and the next attach has to scan the pool.
 */
final class CleanShutdown {
  private static final long COLLECTING_NANOS_MAX = 2_000_000_000L;
  private static final int ITEMS_TOGETHER = 256;

  private final EngineParts engine;
  private final EngineContext context;
  private final Coordinators coordinators;

  CleanShutdown(EngineParts engine, Coordinators coordinators) {
    this.engine = engine;
    this.context = engine.context;
    this.coordinators = coordinators;
  }

  /**
   * Shuts down, and writes the map of free space; returns its address, or NULL if none was written.
   */
  long run(long epoch) {
    if (engine.isUnclean() || !leavesNothing() || engine.isUnclean()) {
      return PoolAddress.NULL;
    }
    return FreeSpaceMapWriter.write(engine.fabric, engine.chunks, epoch, context.clock().now());
  }

  /**
   * Leaves a pool that other compute nodes have open, and donates the free memory of this one.
   * Garbage that cannot be collected is lost to them, but does not hold back their horizons.
   *
   * <p>If this compute node fails after that, there is nothing to recover, since it has no logs.
   *
   * @throws IllegalStateException if a coordinator is open; nothing has changed then
   */
  void leaveToOthers(Membership membership) {
    membership.retire(); // a recovery opens its own coordinators
    try (Coordinator last = coordinators.open(engine.fabric)) {
      if (!coordinators.seal(last)) {
        throw new IllegalStateException("a coordinator is open");
      }
      collectLast(last);
    }
    if (!engine.isUnclean()) {
      DonatedMemory.donateAll(
          context.environment(),
          engine.fabric,
          engine.chunks,
          context.node(),
          context.clock()::retirement);
    }
    membership.leave();
    try (Channel channel = engine.fabric.openChannel(Long.BYTES)) {
      ComputeNodeTable.leave(channel, context.node());
    }
  }

  private boolean leavesNothing() {
    try (Coordinator last = coordinators.open(engine.fabric)) {
      return coordinators.seal(last) && collectLast(last) == 0;
    }
  }

  private int collectLast(Coordinator last) {
    RetireQueue retired = last.retireQueue();
    retired.takeOrphans();
    collect(retired, last.channel());
    engine.logs.close(last.channel(), last.allocator());
    return retired.garbage().size();
  }

  private void collect(RetireQueue retired, Channel channel) {
    long start = context.environment().nanoTime();
    for (int attempt = 0;
        retired.garbage().size() > 0
            && context.environment().nanoTime() - start < COLLECTING_NANOS_MAX;
        attempt++) {
      int before = retired.garbage().size();
      engine.refreshHorizon(channel);
      retired.collect(ITEMS_TOGETHER);
      if (retired.garbage().size() == before) {
        context.environment().backoff(attempt);
      }
    }
  }
}
