package org.nelumbo.dm.alloc;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CircleCheck;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolOwner;

/**
 * Free-space map of a pool that was shut down cleanly, written by the compute node before. A
 * compute node that attaches with it need not follow every pointer. It is good for one attach:
 * {@link #take} removes its address from the superblock before anything else is written. So it is
 * there only if nothing has been written since. The exception are attaches by versions that do not
 * know of it: they raise the epoch.
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
   * The free-space map of a complete pool, which is no longer found afterwards. Called by whoever
   * has the pool, before it raises the epoch ({@link PoolOwner#take}) and writes anything else.
   *
   * @return null if there is none, or it does not fit the pool
   */
  public static FreeSpaceMap take(Fabric fabric) {
    long place = PoolAddress.of(0, SuperblockLayout.FREE_SPACE_MAP_OFFSET);
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      long first = word(channel, place);
      if (first == PoolAddress.NULL) {
        return null;
      }
      channel.writeLong(place, PoolAddress.NULL);
      channel.flush();
      long[] words = read(fabric, channel, first);
      return words == null ? null : decode(fabric, channel, words);
    }
  }

  static long word(Channel channel, long address) {
    channel.read(address, 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  /** The words of all blocks; null if the chain leads nowhere. */
  private static long[] read(Fabric fabric, Channel channel, long first) {
    long[] words = new long[0];
    CircleCheck circle = new CircleCheck();
    for (long block = first; block != PoolAddress.NULL; ) {
      if (!isInside(fabric, block, FreeSpaceMapLayout.WORDS_OFFSET)) {
        return null;
      }
      channel.read(block, 0, FreeSpaceMapLayout.WORDS_OFFSET);
      channel.flush();
      long next = channel.staging().get(ValueLayout.JAVA_LONG, FreeSpaceMapLayout.NEXT_OFFSET);
      long count = channel.staging().get(ValueLayout.JAVA_LONG, FreeSpaceMapLayout.COUNT_OFFSET);
      if (count <= 0
          || count > FreeSpaceMapLayout.BLOCK_BYTES_MAX / Long.BYTES
          || words.length + count > Integer.MAX_VALUE / 2
          || circle.isCircle(block)
          || !isInside(fabric, block, FreeSpaceMapLayout.WORDS_OFFSET + count * Long.BYTES)) {
        return null;
      }
      channel.read(block + FreeSpaceMapLayout.WORDS_OFFSET, 0, (int) count * Long.BYTES);
      channel.flush();
      int from = words.length;
      words = Arrays.copyOf(words, from + (int) count);
      for (int i = 0; i < count; i++) {
        words[from + i] = channel.staging().get(ValueLayout.JAVA_LONG, (long) i * Long.BYTES);
      }
      block = next;
    }
    return words;
  }

  private static boolean isInside(Fabric fabric, long address, long bytes) {
    return (address & 7) == 0
        && address >>> PoolAddress.OFFSET_BITS < fabric.nodeCount()
        && PoolAddress.offset(address) + bytes <= fabric.nodeBytes(PoolAddress.node(address));
  }

  private static FreeSpaceMap decode(Fabric fabric, Channel channel, long[] words) {
    int nodes = fabric.nodeCount();
    int head = FreeSpaceMapLayout.FIXED_WORDS + nodes + SizeClass.COUNT + 1;
    int last = words.length - 1;
    if (last < head
        || words[0] != FreeSpaceMapLayout.MAGIC
        || words[last] != checksum(words, last)
        || words[3] != nodes
        || words[head - 1] != last - head
        || !isOfEpoch(fabric, channel, words[1])) {
      return null;
    }
    long[] taken = new long[nodes];
    for (int node = 0; node < nodes; node++) {
      long bump = words[FreeSpaceMapLayout.FIXED_WORDS + node];
      if (bump != word(channel, PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET))) {
        return null;
      }
      taken[node] = Math.min(bump, fabric.nodeBytes(node) & -64) - SuperblockLayout.LENGTH;
    }
    int live = FreeSpaceMapLayout.FIXED_WORDS + nodes;
    FreeSpaceMap found =
        new FreeSpaceMap(
            words[2],
            taken,
            Arrays.copyOfRange(words, live, live + SizeClass.COUNT),
            Arrays.copyOfRange(words, head, last));
    return found.isWhole() ? found : null;
  }

  /** The checksum of the first words, which is the last word of a map. */
  static long checksum(long[] words, int count) {
    long checksum = 0;
    for (int i = 0; i < count; i++) {
      checksum = LogLayout.addToChecksum(checksum, words[i]);
    }
    return checksum;
  }

  /**
   * Whether nobody has attached in between. A memory node that is reached on its own raises the
   * epoch when this compute node connects to it.
   */
  private static boolean isOfEpoch(Fabric fabric, Channel channel, long left) {
    long now = word(channel, PoolAddress.of(0, SuperblockLayout.EPOCH_OFFSET));
    boolean isByItself = fabric.isRemote() && fabric.replicationStatus().nodes().isEmpty();
    return now == left || (isByItself && now == left + 1);
  }

  /** A timestamp not below any in use. */
  public long timestamp() {
    return timestamp;
  }

  @Override
  long takenBytes(int node) {
    return takenBytes[node];
  }

  /** Whether what is free and what is in use are all that was handed out. */
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
