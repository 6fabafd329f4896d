package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.LeftMemory;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.commit.LogDirectory;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.gc.OrphanedGarbage;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.executor.latency.TimedChannel;
import org.nelumbo.executor.timestamp.PoolClock;

/** What an engine is made of, for the classes of this package. Thread-safe. */
final class EngineParts {
  /** A few at a time: the horizon is not to wait. */
  private static final int PIECES_AT_ONCE = 4;

  final EngineContext context;
  final EngineOptions options;
  final Fabric fabric;
  final ChunkPool chunks;
  final EngineMemory memory;

  /** Null as long as no other compute node has the pool. */
  private volatile HorizonExchange horizons;

  final LogDirectory logs;
  final OrphanedGarbage orphans = new OrphanedGarbage();
  final LatencyHistogram flushes = new LatencyHistogram();
  private volatile boolean unclean;

  EngineParts(
      EngineContext context,
      EngineOptions options,
      Fabric fabric,
      ChunkPool chunks,
      EngineMemory memory) {
    this.context = context;
    this.logs = new LogDirectory(context.node());
    this.options = options;
    this.fabric = fabric;
    this.chunks = chunks;
    this.memory = memory;
  }

  /** The channel of a coordinator, timed if it leads to memory nodes and does not count verbs. */
  Channel timed(Channel channel) {
    return fabric.isRemote() && !(channel instanceof CountingChannel)
        ? new TimedChannel(channel, context.environment(), flushes)
        : channel;
  }

  /** From now on other compute nodes have horizons, too. */
  void exchangeHorizons(PoolClock clock) {
    chunks.share();
    horizons = new HorizonExchange(fabric, context.node(), clock, context.epochs(), chunks);
  }

  /**
   * Computes the horizon anew, from what other compute nodes say now, if there are any. One thread
   * at a time.
   */
  void refreshHorizon(Channel channel) {
    HorizonExchange now = horizons;
    if (now == null) {
      context.epochs().refreshHorizon();
    } else {
      now.run(channel);
    }
  }

  /** Time until the horizons are to be exchanged again, if the pool is shared. */
  long horizonPeriodNanos() {
    HorizonExchange now = horizons;
    return now == null ? HorizonExchange.PERIOD_NANOS : now.periodNanos();
  }

  /**
   * Takes memory over that is none's, if somebody here has asked a memory node for more since the
   * last time; at first, in any case. What nobody reads any more is for all allocators then. For
   * the thread that computes the horizon, after it has done so.
   */
  void adoptWanted(Channel channel) {
    HorizonExchange now = horizons;
    if (now != null) {
      int wants = chunks.takeWants();
      if (wants > 0) {
        now.adoptMemory(channel, wants);
      }
      chunks.giveAdopted();
    }
  }

  /** Leaves to all compute nodes what is free here and more than is good. For the same thread. */
  void leaveSurplus(Coordinator coordinator) {
    for (int i = 0; i < PIECES_AT_ONCE; i++) {
      int node = chunks.nodeWithSurplus();
      if (node < 0
          || !LeftMemory.leaveSome(
              context.environment(),
              chunks,
              context.node(),
              coordinator.channel(),
              coordinator.allocator(),
              node)) {
        return;
      }
    }
  }

  /** See {@link Engine#markUnclean}. */
  void markUnclean() {
    unclean = true;
  }

  boolean isUnclean() {
    return unclean;
  }
}
