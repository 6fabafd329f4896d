package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.alloc.FreeSpaceMap;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.CommitVector;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.LostMemory;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.gc.RetireQueue;
import org.nelumbo.executor.timestamp.ClockKind;
import org.nelumbo.executor.timestamp.PoolClock;

/**
 * The orderly departure of an engine from its pool. Nothing may be half done, and no state may
 * remain that only this process has: garbage of commits is collected first. If that cannot be
 * ensured, or would take long, the next attach has to scan the pool. All coordinators must be
 * closed. Used once.
 */
final class CleanShutdown {
  private static final long COLLECTING_NANOS_MAX = 2_000_000_000L;
  private static final int ITEMS_TOGETHER = 256;
  private static final int CLOCK_STAGING_BYTES = 4 * CommitVector.WORDS_MAX * Long.BYTES;
  private static final int ADOPTING_STAGING_BYTES =
      SuperblockLayout.LENGTH + DonatedMemory.STAGING_BYTES;

  private final EngineParts engine;
  private final EngineContext context;
  private final Coordinators coordinators;

  CleanShutdown(EngineParts engine, Coordinators coordinators) {
    this.engine = engine;
    this.context = engine.context;
    this.coordinators = coordinators;
  }

  /**
   * Leaves an exclusive pool, and writes the map of free space; returns its address, or NULL if
   * none was written.
   */
  long leaveAlone(long epoch) {
    try (Coordinator last = coordinators.open(engine.fabric)) {
      if (engine.isUnclean() || !coordinators.seal(last) || collectLast(last) > 0) {
        return PoolAddress.NULL;
      }
    }
    return writeMap(epoch);
  }

  private long writeMap(long epoch) {
    if (engine.isUnclean()) {
      return PoolAddress.NULL;
    }
    long last;
    try (Channel channel = engine.fabric.openChannel(CLOCK_STAGING_BYTES)) {
      last = context.clock().read(channel);
    }
    return FreeSpaceMapWriter.write(engine.fabric, engine.chunks, epoch, last);
  }

  /**
   * Leaves a pool that this engine has created or recovered to the members that are going to share
   * it, the first of which is in this process.
   *
   * @return the memory in use
   */
  FreeSpaceMap leaveToMembers() {
    try (Coordinator last = coordinators.open(engine.fabric)) {
      seal(last);
      collectLast(last);
    }
    long now = context.clock().now();
    FreeSpaceMap memory = FreeSpaceMap.of(engine.fabric, engine.chunks, now);
    try (Channel channel = engine.fabric.openChannel(CLOCK_STAGING_BYTES)) {
      ComputeNodeTable.restartNumbers(channel);
      if (engine.options.clock() == ClockKind.VECTOR) {
        CommitVector.create(channel, engine.fabric.nodeBytes(0), now);
      } else {
        PoolClock.begin(channel, now);
      }
    }
    return memory;
  }

  /** A failure here cannot be undone. */
  private void seal(Coordinator last) {
    if (!coordinators.seal(last)) {
      throw new IllegalStateException("a coordinator is open");
    }
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
    boolean isAllFree = retire(membership);
    try (Channel channel = engine.fabric.openChannel(Long.BYTES)) {
      if (!isAllFree) {
        LostMemory.note(channel);
      }
    }
    if (!engine.isUnclean()) {
      DonatedMemory.donateAll(
          context.environment(),
          engine.fabric,
          engine.chunks,
          context.node(),
          context.clock()::retirement);
    }
    leaveMembers(membership);
  }

  /** Returns false if some memory is neither in use nor free. */
  private boolean retire(Membership membership) {
    membership.retire(); // a recovery opens its own coordinators
    try (Coordinator last = coordinators.open(engine.fabric)) {
      seal(last);
      return collectLast(last) == 0 && !engine.isUnclean();
    }
  }

  private void leaveMembers(Membership membership) {
    membership.leave();
    try (Channel channel = engine.fabric.openChannel(Long.BYTES)) {
      ComputeNodeTable.leave(channel, context.node());
    }
  }

  /**
   * Leaves a pool that no other compute node can join any more, and writes the map of its free
   * memory, which includes all donated memory; returns its address, or NULL if none was written.
   *
   * @throws IllegalStateException if a coordinator is open; nothing has changed then
   */
  long leaveAsLast(Membership membership, long epoch) {
    boolean isAllFree = retire(membership);
    try (Channel channel = engine.fabric.openChannel(ADOPTING_STAGING_BYTES)) {
      for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
        DonatedMemory.takeAll(engine.fabric, engine.chunks, channel, entry);
      }
      leaveMembers(membership);
      isAllFree &= ComputeNodeTable.isEmpty(channel) && !LostMemory.isAny(channel);
    }
    return isAllFree ? writeMap(epoch) : PoolAddress.NULL;
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
