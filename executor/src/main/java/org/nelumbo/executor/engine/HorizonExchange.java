package org.nelumbo.executor.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.LeftMemory;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.PoolClock;
import org.nelumbo.executor.timestamp.Timestamps;

/**
 * Exchange of horizons with the other compute nodes of a pool: publishes this one's, and learns the
 * others', what they have been handed out, and the clock. One round trip, and a second one now and
 * then to keep the clock near physical time. One thread at a time.
 *
 * <p>Why the lowest of all horizons is safe: a compute node's horizon is not above any start
 * timestamp it has, or ever will have (see {@link Epochs}). What is published of it is older, and
 * thus lower. One that joins enters the table before it reads the clock for the first time. Whoever
 * does not find it there has read the clock before the table, and lets its horizon not rise above
 * that reading until the next exchange.
 */
final class HorizonExchange {
  /** How often; it is the delay with which others learn that memory may be used again. */
  static final long PERIOD_NANOS = 5_000_000L;

  /** Period while nothing is committed: no memory waits for the horizon then. */
  private static final long QUIET_PERIOD_NANOS = 20_000_000L;

  /** Exchanges without a commit after which the longer period begins. */
  private static final int QUIET_AFTER = 40;

  /** For each time that somebody wanted more, so much is taken: as much as a chunk. */
  private static final long BYTES_PER_WANT = 16 << 10;

  private static final long BYTES_MIN = 64 << 10;
  private static final long BYTES_MAX = 1 << 20;
  private static final int PIECES_MAX = 16;

  private final Fabric fabric;
  private final ComputeNodeEntry node;
  private final PoolClock clock;
  private final Epochs epochs;
  private final ChunkPool chunks;

  /** Which entry names memory that is none's, -1 if none does, and what it has. */
  private int entryWithMemory = -1;

  private long memoryLeft;

  /** Exchanges since the last one that found a timestamp of a commit. */
  private int quietExchanges;

  HorizonExchange(
      Fabric fabric, ComputeNodeEntry node, PoolClock clock, Epochs epochs, ChunkPool chunks) {
    this.fabric = fabric;
    this.node = node;
    this.clock = clock;
    this.epochs = epochs;
    this.chunks = chunks;
  }

  /** Publishes, learns, and computes this compute node's horizon anew. */
  void run(Channel channel) {
    epochs.refreshHorizon();
    int mark = channel.mark();
    ComputeNodeTable.postHorizon(channel, node, epochs.localHorizon());
    int time = clock.postRead(channel); // before the table: see above
    int table = ComputeNodeTable.postRead(channel);
    int bumps = postBumps(channel);
    channel.flush();
    long now = clock.learnRead(channel, time);
    long others = ComputeNodeTable.horizonOfOthers(channel.staging(), table, node);
    epochs.setOthersHorizon(Math.min(others, now));
    for (int each = 0; each < fabric.nodeCount(); each++) {
      long bump = channel.staging().get(ValueLayout.JAVA_LONG, bumps + (long) each * Long.BYTES);
      chunks.noteHandedOut(each, bump);
    }
    noteMemoryLeft(channel.staging(), table);
    quietExchanges = Timestamps.isFirst(now) ? quietExchanges + 1 : 0;
    clock.tick(channel, now);
    channel.release(mark);
    epochs.refreshHorizon();
  }

  /** Time until the next exchange. */
  long periodNanos() {
    return quietExchanges > QUIET_AFTER ? QUIET_PERIOD_NANOS : PERIOD_NANOS;
  }

  private void noteMemoryLeft(MemorySegment staging, int table) {
    entryWithMemory = ComputeNodeTable.entryWithMemory(staging, table, node.entry() + 1);
    if (entryWithMemory >= 0) {
      memoryLeft = ComputeNodeTable.memoryLeft(staging, table, entryWithMemory);
    }
    chunks.noteMemoryLeft(entryWithMemory >= 0);
  }

  /**
   * Takes memory that is none's, as of the last exchange, unless another compute node is faster.
   *
   * @param wants how often somebody wanted more
   */
  void adoptMemory(Channel channel, int wants) {
    boolean isUrgent = chunks.isAnyUsedUp();
    long bytesMax = Math.clamp(wants * BYTES_PER_WANT, BYTES_MIN, BYTES_MAX);
    long before = chunks.adoptedBytes();
    int pieces = 0;
    while (entryWithMemory >= 0
        && chunks.mayAdopt()
        && (isUrgent || chunks.adoptedBytes() - before < bytesMax)
        && pieces++ < PIECES_MAX) {
      memoryLeft = LeftMemory.take(fabric, chunks, channel, entryWithMemory, memoryLeft);
      if (memoryLeft == LeftMemory.TAKEN_BY_ANOTHER
          || LeftMemory.firstPiece(memoryLeft) == PoolAddress.NULL) {
        entryWithMemory = -1;
      }
    }
  }

  private int postBumps(Channel channel) {
    int offset = channel.reserve(fabric.nodeCount() * Long.BYTES);
    for (int each = 0; each < fabric.nodeCount(); each++) {
      channel.read(
          PoolAddress.of(each, SuperblockLayout.BUMP_OFFSET),
          offset + each * Long.BYTES,
          Long.BYTES);
    }
    return offset;
  }
}
