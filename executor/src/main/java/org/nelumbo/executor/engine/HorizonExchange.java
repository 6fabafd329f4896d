package org.nelumbo.executor.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.SharedClock;

/**
 * The exchange of horizons with the other compute nodes of a pool: publishes this node's horizon,
 * and reads the horizons of the others, the memory that was handed out, and the clock. Takes one
 * round trip, and occasionally a second one to keep the clock near physical time. One thread at a
 * time.
 *
 * <p><b>Rule.</b> The lowest of all horizons is safe.
 *
 * <p><b>Proof.</b> A compute node's horizon is not above any start timestamp it has, or ever will
 * have (see {@link Epochs}). Its published horizon is older, and thus lower. A joining compute node
 * enters the table before it reads the clock for the first time. A compute node that does not find
 * the entry has read the clock before the table, and does not let its horizon rise above that
 * reading until the next exchange.
 */
final class HorizonExchange {
  /**
   * Period of the exchange, which is the delay until other compute nodes learn that memory may be
   * reused.
   */
  static final long PERIOD_NANOS = 5_000_000L;

  /** Period while nothing is committed: no memory waits for the horizon then. */
  private static final long QUIET_PERIOD_NANOS = 20_000_000L;

  /** Number of exchanges without a commit after which the longer period begins. */
  private static final int QUIET_AFTER = 40;

  /** Bytes that are adopted for each request of an allocator: as much as a chunk. */
  private static final long BYTES_PER_WANT = 16 << 10;

  /** Bytes that are adopted at least: the logs and first rows of a compute node that has joined. */
  private static final long BYTES_MIN = 128 << 10;

  private static final long BYTES_MAX = 1 << 20;
  private static final int PIECES_MAX = 16;

  private final Fabric fabric;
  private final ComputeNodeEntry node;
  private final SharedClock clock;
  private final Epochs epochs;
  private final ChunkPool chunks;

  /**
   * Entry of the table that refers to donated memory, -1 if there is none; {@link #memoryLeft} is
   * the word of that entry.
   */
  private int entryWithMemory = -1;

  private long memoryLeft;

  private int quietExchanges;

  HorizonExchange(
      Fabric fabric, ComputeNodeEntry node, SharedClock clock, Epochs epochs, ChunkPool chunks) {
    this.fabric = fabric;
    this.node = node;
    this.clock = clock;
    this.epochs = epochs;
    this.chunks = chunks;
  }

  /** Publishes and reads horizons, and recomputes the horizon of this compute node. */
  void run(Channel channel) {
    epochs.refreshHorizon();
    int mark = channel.mark();
    ComputeNodeTable.postHorizon(channel, node, epochs.localHorizon());
    int time = clock.postRead(channel); // before the table: see the proof
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
    chunks.setShared(ComputeNodeTable.hasOthers(channel.staging(), table, node));
    quietExchanges = clock.wasQuiet() ? quietExchanges + 1 : 0;
    clock.tick(channel);
    channel.release(mark);
    epochs.refreshHorizon();
  }

  /** Returns the time until the next exchange. */
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
   * Adopts donated memory as of the last exchange, unless another compute node is faster.
   *
   * @param wants number of requests of allocators for more memory
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
      memoryLeft = DonatedMemory.take(fabric, chunks, channel, entryWithMemory, memoryLeft);
      if (memoryLeft == DonatedMemory.TAKEN_BY_ANOTHER
          || DonatedMemory.firstPiece(memoryLeft) == PoolAddress.NULL) {
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
