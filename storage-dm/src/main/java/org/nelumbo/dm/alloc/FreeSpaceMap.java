package org.nelumbo.dm.alloc;

import java.util.Arrays;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolOwner;

/**
 * The free-space map of a pool that was shut down cleanly, written by the previous compute node. A
 * compute node that attaches with it need not follow every pointer. It is valid for one attach:
 * {@link #take} removes its address from the superblock before anything else is written. So it
 * exists only if nothing has been written since. Attaches by versions that do not know the map are
 * the exception: they raise the epoch.
 */
public final class FreeSpaceMap extends MemoryInUse {
  private static final int STAGING_BYTES = 64 << 10;

  private final long timestamp;
  private final long[] takenBytes;
  private final long[] runs;

  private FreeSpaceMap(long timestamp, long[] takenBytes, long[] liveBlocks, long[] runs) {
    super(liveBlocks);
    this.timestamp = timestamp;
    this.takenBytes = takenBytes;
    this.runs = runs;
  }

  /**
   * Returns the map of a pool whose allocators are all closed, for the next engine of this process.
   */
  public static FreeSpaceMap of(Fabric fabric, ChunkPool chunks, long timestamp) {
    long[] taken = new long[fabric.nodeCount()];
    try (Channel channel = fabric.openChannel(Long.BYTES)) {
      for (int node = 0; node < taken.length; node++) {
        taken[node] = takenBytes(fabric, node, bump(channel, node));
      }
    }
    long[] runs = chunks.freeRuns();
    return new FreeSpaceMap(timestamp, taken, liveBlocks(chunks, taken, runs), runs);
  }

  static long bump(Channel channel, int node) {
    return WordChain.word(channel, PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET));
  }

  static long takenBytes(Fabric fabric, int node, long bump) {
    return Math.min(bump, fabric.nodeBytes(node) & -64) - SuperblockLayout.LENGTH;
  }

  /**
   * Returns the number of blocks in use, by class. Memory that other compute nodes have allocated
   * counts as blocks of the smallest class: only the sum is known.
   */
  static long[] liveBlocks(ChunkPool chunks, long[] taken, long[] runs) {
    PoolUsage usage = new PoolUsage();
    chunks.addTo(usage);
    long[] live = new long[SizeClass.COUNT];
    for (int i = 0; i < SizeClass.COUNT; i++) {
      live[i] = usage.liveBlocks(i);
    }
    long free = Arrays.stream(runs).map(FreeSpaceMapLayout::bytes).sum();
    live[0] += (Arrays.stream(taken).sum() - free - usage.liveBytes()) / SizeClass.bytes(0);
    return live;
  }

  /**
   * Reads the free-space map of a complete pool and removes it. Called by the owner of the pool,
   * before it raises the epoch ({@link PoolOwner#take}) and before any other write.
   *
   * @return null if there is none, or it does not fit the pool
   */
  public static FreeSpaceMap take(Fabric fabric) {
    long headAddress = PoolAddress.of(0, SuperblockLayout.FREE_SPACE_MAP_OFFSET);
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      long first = WordChain.word(channel, headAddress);
      if (first == PoolAddress.NULL) {
        return null;
      }
      channel.writeLong(headAddress, PoolAddress.NULL);
      channel.flush();
      long[] words = WordChain.read(fabric, channel, first);
      return words == null ? null : decode(fabric, channel, words);
    }
  }

  private static FreeSpaceMap decode(Fabric fabric, Channel channel, long[] words) {
    int nodes = fabric.nodeCount();
    int head = FreeSpaceMapLayout.FIXED_WORDS + nodes + SizeClass.COUNT;
    long[] runs = WordChain.runs(words, head);
    if (runs == null
        || words[0] != FreeSpaceMapLayout.MAGIC
        || words[3] != nodes
        || !isOfEpoch(fabric, channel, words[1])) {
      return null;
    }
    long[] taken = new long[nodes];
    for (int node = 0; node < nodes; node++) {
      long bump = words[FreeSpaceMapLayout.FIXED_WORDS + node];
      if (bump != bump(channel, node)) {
        return null;
      }
      taken[node] = takenBytes(fabric, node, bump);
    }
    int live = FreeSpaceMapLayout.FIXED_WORDS + nodes;
    FreeSpaceMap found =
        new FreeSpaceMap(
            words[2], taken, Arrays.copyOfRange(words, live, live + SizeClass.COUNT), runs);
    return found.isWhole() ? found : null;
  }

  /**
   * Returns true if no compute node has attached in between. A memory node without copies raises
   * the epoch itself when this compute node connects to it.
   */
  private static boolean isOfEpoch(Fabric fabric, Channel channel, long left) {
    long now = WordChain.word(channel, PoolAddress.of(0, SuperblockLayout.EPOCH_OFFSET));
    boolean isByItself = fabric.isRemote() && fabric.replicationStatus().nodes().isEmpty();
    return now == left || (isByItself && now == left + 1);
  }

  /** Returns a timestamp not below any in use. */
  public long timestamp() {
    return timestamp;
  }

  @Override
  long takenBytes(int node) {
    return takenBytes[node];
  }

  private boolean isWhole() {
    long bytes = liveBytes();
    for (long run : runs) {
      bytes += FreeSpaceMapLayout.bytes(run);
    }
    return bytes == Arrays.stream(takenBytes).sum();
  }

  @Override
  void gaps(int node, Gaps out) {
    for (long run : runs) {
      long start = FreeSpaceMapLayout.address(run);
      if (PoolAddress.node(start) == node) {
        out.gap(start, start + FreeSpaceMapLayout.bytes(run));
      }
    }
  }
}
