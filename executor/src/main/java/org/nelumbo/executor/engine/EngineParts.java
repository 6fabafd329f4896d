package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.commit.LogDirectory;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.gc.OrphanedGarbage;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.executor.latency.TimedChannel;

/** What an engine is made of, for the classes of this package. Thread-safe. */
final class EngineParts {
  final EngineContext context;
  final EngineOptions options;
  final Fabric fabric;
  final ChunkPool chunks;
  final EngineMemory memory;

  /** Null where no other compute node has the pool. */
  final HorizonExchange horizons;

  final LogDirectory logs;
  final OrphanedGarbage orphans = new OrphanedGarbage();
  final LatencyHistogram flushes = new LatencyHistogram();
  private volatile boolean unclean;

  EngineParts(
      EngineContext context,
      EngineOptions options,
      Fabric fabric,
      ChunkPool chunks,
      EngineMemory memory,
      HorizonExchange horizons) {
    this.context = context;
    this.logs = new LogDirectory(context.node());
    this.options = options;
    this.fabric = fabric;
    this.chunks = chunks;
    this.memory = memory;
    this.horizons = horizons;
  }

  /** The channel of a coordinator, timed if it leads to memory nodes and does not count verbs. */
  Channel timed(Channel channel) {
    return fabric.isRemote() && !(channel instanceof CountingChannel)
        ? new TimedChannel(channel, context.environment(), flushes)
        : channel;
  }

  /** Computes the horizon anew, from what other compute nodes say now, if there are any. */
  void refreshHorizon(Channel channel) {
    if (horizons == null) {
      context.epochs().refreshHorizon();
    } else {
      horizons.run(channel);
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
