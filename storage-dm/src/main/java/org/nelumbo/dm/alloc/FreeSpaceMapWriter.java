package org.nelumbo.dm.alloc;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Writes the free-space map of a pool at a clean shutdown ({@link FreeSpaceMap}), when all
 * allocators are closed and nobody uses the pool any more. The map lies in free memory. It is valid
 * once {@link #publish} has entered its address in the superblock, the last word that is written.
 * Used once.
 */
public final class FreeSpaceMapWriter {
  private static final int STAGING_BYTES = 64 << 10;
  private static final int ATTEMPTS = 3;
  private static final int SPARE_WORDS = 256;

  private final Fabric fabric;
  private final ChunkPool chunks;
  private final Channel channel;
  private long[] words = new long[1024];
  private int count;
  private long[] blocks = {};
  private int blockClass;

  private FreeSpaceMapWriter(Fabric fabric, ChunkPool chunks, Channel channel) {
    this.fabric = fabric;
    this.chunks = chunks;
    this.channel = channel;
  }

  /**
   * Writes the map; it is not valid yet.
   *
   * @param epoch of the compute node that leaves
   * @param timestamp not below any in use
   * @return where it begins; NULL if there is no room for it, or memory that nobody knows about
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
    long[] runs = chunks.freeRuns();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (!reserve(headWords() + runs.length + SPARE_WORDS)) {
        return PoolAddress.NULL;
      }
      runs = chunks.freeRuns();
      if (headWords() + runs.length + blocks.length + 1 <= capacity()) {
        return collect(runs, epoch, timestamp) ? writeBlocks() : PoolAddress.NULL;
      }
      giveBack();
    }
    return PoolAddress.NULL;
  }

  private int headWords() {
    return FreeSpaceMapLayout.FIXED_WORDS + fabric.nodeCount() + SizeClass.COUNT + 1;
  }

  private long capacity() {
    return (long) blocks.length * wordsPerBlock();
  }

  private int wordsPerBlock() {
    return (SizeClass.bytes(blockClass) - FreeSpaceMapLayout.WORDS_OFFSET) / Long.BYTES;
  }

  /** Takes blocks for so many words; false if there is no room. */
  private boolean reserve(int wanted) {
    long bytes = FreeSpaceMapLayout.WORDS_OFFSET + (long) wanted * Long.BYTES;
    blockClass = SizeClass.of((int) Math.min(bytes, FreeSpaceMapLayout.BLOCK_BYTES_MAX));
    long[] taken = new long[(wanted + wordsPerBlock() - 1) / wordsPerBlock()];
    try (PoolAllocator allocator = chunks.newAllocator(channel)) {
      for (int i = 0; i < taken.length; i++) {
        taken[i] = allocator.allocate(blockClass);
        if (taken[i] == PoolAddress.NULL) {
          blocks = Arrays.copyOf(taken, i);
          blocks = free(allocator);
          return false;
        }
      }
    }
    blocks = taken;
    return true;
  }

  private void giveBack() {
    try (PoolAllocator allocator = chunks.newAllocator(channel)) {
      blocks = free(allocator);
    }
  }

  private long[] free(PoolAllocator allocator) {
    for (long block : blocks) {
      allocator.free(block, blockClass);
    }
    return new long[0];
  }

  /** Puts the words together; false if the bytes in use and the free ones are not all there are. */
  private boolean collect(long[] runs, long epoch, long timestamp) {
    PoolUsage usage = new PoolUsage();
    chunks.addTo(usage);
    if (!usage.isBalanced()) {
      return false;
    }
    add(FreeSpaceMapLayout.MAGIC);
    add(epoch);
    add(timestamp);
    add(fabric.nodeCount());
    for (int node = 0; node < fabric.nodeCount(); node++) {
      add(FreeSpaceMap.word(channel, PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET)));
    }
    for (int i = 0; i < SizeClass.COUNT; i++) {
      add(usage.liveBlocks(i) - (i == blockClass ? blocks.length : 0));
    }
    add(runs.length + blocks.length);
    for (long run : runs) {
      add(run);
    }
    for (long block : blocks) {
      add(FreeSpaceMapLayout.run(block, SizeClass.bytes(blockClass)));
    }
    add(FreeSpaceMap.checksum(words, count));
    return true;
  }

  private void add(long word) {
    if (count == words.length) {
      words = Arrays.copyOf(words, count * 2);
    }
    words[count++] = word;
  }

  private long writeBlocks() {
    int used = (count + wordsPerBlock() - 1) / wordsPerBlock();
    assert used <= blocks.length : "used=" + used + " blocks=" + blocks.length;
    for (int i = 0; i < used; i++) {
      int from = i * wordsPerBlock();
      int length = Math.min(count - from, wordsPerBlock());
      long next = i + 1 < used ? blocks[i + 1] : PoolAddress.NULL;
      channel.staging().set(ValueLayout.JAVA_LONG, FreeSpaceMapLayout.NEXT_OFFSET, next);
      channel.staging().set(ValueLayout.JAVA_LONG, FreeSpaceMapLayout.COUNT_OFFSET, length);
      for (int k = 0; k < length; k++) {
        channel
            .staging()
            .set(
                ValueLayout.JAVA_LONG,
                FreeSpaceMapLayout.WORDS_OFFSET + (long) k * Long.BYTES,
                words[from + k]);
      }
      channel.write(blocks[i], 0, FreeSpaceMapLayout.WORDS_OFFSET + length * Long.BYTES);
      channel.flush();
    }
    return blocks[0];
  }
}
