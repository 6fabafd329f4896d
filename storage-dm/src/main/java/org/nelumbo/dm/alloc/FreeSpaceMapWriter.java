package org.nelumbo.dm.alloc;

import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Writes the free-space map of a pool at a clean shutdown ({@link FreeSpaceMap}), when all
 * allocators are closed and the pool is not used any more. The map lies in free memory. It is valid
 * once {@link #publish} has written its address to the superblock, the last word that is written.
 * Used once.
 */
public final class FreeSpaceMapWriter {
  private static final int STAGING_BYTES = 64 << 10;

  private final Fabric fabric;
  private final ChunkPool chunks;
  private final Channel channel;
  private final WordChain chain;

  private FreeSpaceMapWriter(Fabric fabric, ChunkPool chunks, Channel channel) {
    this.fabric = fabric;
    this.chunks = chunks;
    this.channel = channel;
    this.chain = new WordChain(chunks, channel);
  }

  /**
   * Writes the map; it is not valid yet.
   *
   * @param epoch epoch of the compute node that leaves
   * @param timestamp timestamp not below any in use
   * @return the address of its first block; NULL if there is no room for it, or if some memory is
   *     unaccounted for
   */
  public static long write(Fabric fabric, ChunkPool chunks, long epoch, long timestamp) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      return new FreeSpaceMapWriter(fabric, chunks, channel).write(epoch, timestamp);
    }
  }

  /** Makes the map valid: nothing else may be written to the pool from now on. */
  public static void publish(Fabric fabric, long first) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      channel.writeLong(PoolAddress.of(0, SuperblockLayout.FREE_SPACE_MAP_OFFSET), first);
      channel.flush();
    }
  }

  private long write(long epoch, long timestamp) {
    long[] runs =
        chain.reserve(FreeSpaceMapLayout.FIXED_WORDS + fabric.nodeCount() + SizeClass.COUNT);
    return runs != null && collect(runs, epoch, timestamp) ? chain.write() : PoolAddress.NULL;
  }

  private boolean collect(long[] runs, long epoch, long timestamp) {
    PoolUsage usage = new PoolUsage();
    chunks.addTo(usage);
    if (!usage.isBalanced()) {
      return false;
    }
    chain.add(FreeSpaceMapLayout.MAGIC);
    chain.add(epoch);
    chain.add(timestamp);
    chain.add(fabric.nodeCount());
    long[] taken = new long[fabric.nodeCount()];
    for (int node = 0; node < taken.length; node++) {
      long bump = FreeSpaceMap.bump(channel, node);
      chain.add(bump);
      taken[node] = FreeSpaceMap.takenBytes(fabric, node, bump);
    }
    long[] live = FreeSpaceMap.liveBlocks(chunks, taken, runs);
    for (int i = 0; i < SizeClass.COUNT; i++) {
      chain.add(live[i] - chain.ownBlocks(i));
    }
    chain.addRuns(runs);
    return true;
  }
}
