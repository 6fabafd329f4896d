package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.commit.LogDirectory;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.gc.OrphanedGarbage;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.executor.latency.TimedChannel;
import org.nelumbo.executor.timestamp.SharedClock;

/** The parts of an engine, for the classes of this package. Thread-safe. */
final class EngineParts {
  /** Maximum number of pieces donated at a time, so that the horizon is not delayed. */
  private static final int PIECES_AT_ONCE = 4;

  final EngineContext context;
  final EngineOptions options;
  final Fabric fabric;
  final ChunkPool chunks;
  final EngineMemory memory;

  /** Null in an exclusive pool. */
  private HorizonExchange horizons;

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

  /**
   * Wraps the channel of a coordinator to time its flushes, if it leads to memory nodes and does
   * not count verbs.
   */
  Channel timed(Channel channel) {
    return fabric.isRemote() && !(channel instanceof CountingChannel)
        ? new TimedChannel(channel, context.environment(), flushes)
        : channel;
  }

  /** Begins the exchange of horizons with other compute nodes. */
  void exchangeHorizons(SharedClock clock) {
    chunks.setShared(true);
    horizons = new HorizonExchange(fabric, context.node(), clock, context.epochs(), chunks);
  }

  /**
   * Recomputes the horizon, from the present horizons of the other compute nodes if there are any.
   * One thread at a time.
   */
  void refreshHorizon(Channel channel) {
    if (horizons == null) {
      context.epochs().refreshHorizon();
    } else {
      horizons.run(channel);
    }
  }

  /** Returns the time until the next exchange of horizons, if the pool is shared. */
  long horizonPeriodNanos() {
    return horizons == null ? HorizonExchange.PERIOD_NANOS : horizons.periodNanos();
  }

  /**
   * Adopts donated free memory if a local allocator has extended the pool since the last call, and
   * on the first call. Adopted memory that no reader can reach is then available to all allocators.
   * Must be called by the thread that computes the horizon, after it has done so.
   */
  void adoptWanted(Channel channel) {
    if (horizons != null) {
      int wants = chunks.takeWants();
      if (wants > 0) {
        horizons.adoptMemory(channel, wants);
      }
      chunks.giveAdopted();
    }
  }

  /** Donates surplus free memory to all compute nodes. Must be called by the same thread. */
  void donateSurplus(Coordinator coordinator) {
    for (int i = 0; i < PIECES_AT_ONCE; i++) {
      int node = chunks.nodeWithSurplus();
      if (node < 0
          || !DonatedMemory.donateSome(
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
    return unclean || context.failStop().isStopped();
  }
}
