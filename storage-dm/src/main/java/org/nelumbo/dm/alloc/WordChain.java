package org.nelumbo.dm.alloc;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CircleCheck;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The words of a free-space map, in a chain of blocks that are themselves free memory ({@link
 * FreeSpaceMapLayout}). All allocators of the compute node that writes them are closed. Not
 * thread-safe.
 */
final class WordChain {
  private static final int ATTEMPTS = 3;
  private static final int SPARE_WORDS = 256;

  private final ChunkPool chunks;
  private final Channel channel;
  private long[] words = new long[1024];
  private int count;
  private long[] blocks = {};
  private int blockClass;

  WordChain(ChunkPool chunks, Channel channel) {
    this.chunks = chunks;
    this.channel = channel;
  }

  /**
   * Allocates blocks for some words, and for the runs of all free memory except these blocks.
   *
   * @param otherWords number of words besides the runs, the number of runs and the checksum
   * @return the runs; null if there is no room
   */
  long[] reserve(int otherWords) {
    int head = otherWords + 2;
    long[] runs = chunks.freeRuns();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (!takeBlocks(head + runs.length + SPARE_WORDS)) {
        return null;
      }
      runs = chunks.freeRuns();
      if (head + runs.length + blocks.length <= (long) blocks.length * wordsPerBlock()) {
        return runs;
      }
      giveBack();
    }
    return null;
  }

  private int wordsPerBlock() {
    return (SizeClass.bytes(blockClass) - FreeSpaceMapLayout.WORDS_OFFSET) / Long.BYTES;
  }

  private boolean takeBlocks(int wanted) {
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

  void giveBack() {
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

  /** Returns the number of blocks in use, of a size class, that are blocks of the chain. */
  int ownBlocks(int sizeClass) {
    return sizeClass == blockClass ? blocks.length : 0;
  }

  void add(long word) {
    if (count == words.length) {
      words = Arrays.copyOf(words, count * 2);
    }
    words[count++] = word;
  }

  /** Adds the last words: the number of runs, the runs, the blocks, the checksum. */
  void addRuns(long[] runs) {
    add(runs.length + blocks.length);
    for (long run : runs) {
      add(run);
    }
    for (long block : blocks) {
      add(FreeSpaceMapLayout.run(block, SizeClass.bytes(blockClass)));
    }
    add(checksum(words, count));
  }

  /** Writes all words and removes them from this object; returns the first block of the chain. */
  long write() {
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
    count = 0;
    return blocks[0];
  }

  /** Returns the words of all blocks of a chain; null if the chain is invalid. */
  static long[] read(Fabric fabric, Channel channel, long first) {
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

  /**
   * Returns the runs at the end of words that were read; null if the words are corrupt.
   *
   * @param otherWords number of words before the number of runs
   */
  static long[] runs(long[] words, int otherWords) {
    int last = words.length - 1;
    boolean isWhole =
        last > otherWords
            && words[last] == checksum(words, last)
            && words[otherWords] == last - otherWords - 1;
    return isWhole ? Arrays.copyOfRange(words, otherWords + 1, last) : null;
  }

  private static long checksum(long[] words, int count) {
    long checksum = 0;
    for (int i = 0; i < count; i++) {
      checksum = LogLayout.addToChecksum(checksum, words[i]);
    }
    return checksum;
  }

  static long word(Channel channel, long address) {
    channel.read(address, 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }
}
