package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.alloc.LeftMemory;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.gc.RetireQueue;

/**
 * The end of a compute node that leaves a pool in order. Nothing may be half done then, and nothing
 * may be left that only this process knows of: what commits left behind is collected first. Where
 * that cannot be said, or would take long, nothing is written, and whoever attaches next looks at
 * everything.
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

  /** Where the map of free space begins, NULL if there is none. */
  long run(long epoch) {
    if (engine.isUnclean() || !leavesNothing() || engine.isUnclean()) {
      return PoolAddress.NULL;
    }
    return FreeSpaceMapWriter.write(engine.fabric, engine.chunks, epoch, context.clock().now());
  }

  /**
   * Leaves a pool that other compute nodes have open. What is free here becomes theirs. What is
   * left to be collected and cannot be is lost to them, but holds nobody back.
   *
   * <p>Whoever finds this compute node dead from then on finds nothing to recover: it has no logs.
   *
   * @throws IllegalStateException if a coordinator is open: nothing has changed
   */
  void leaveToOthers(Membership membership) {
    membership.retire(); // a recovery has coordinators of its own
    try (Coordinator last = coordinators.open(engine.fabric)) {
      if (!coordinators.seal(last)) {
        throw new IllegalStateException("a coordinator is open");
      }
      collectLast(last);
    }
    if (!engine.isUnclean()) {
      LeftMemory.leaveAll(
          context.environment(),
          engine.fabric,
          engine.chunks,
          context.node(),
          context.clock()::read);
    }
    membership.leave();
    try (Channel channel = engine.fabric.openChannel(Long.BYTES)) {
      ComputeNodeTable.leave(channel, context.node());
    }
  }

  /** Whether nobody has the pool open any more, and nothing is left to be collected. */
  private boolean leavesNothing() {
    try (Coordinator last = coordinators.open(engine.fabric)) {
      return coordinators.seal(last) && collectLast(last) == 0;
    }
  }

  /** Collects what the others left, and gives back the logs; how much is left. */
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
