package org.nelumbo.dm.index.hash;

import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * One of the two segments that a split produces, under construction: its image, the entries that do
 * not fit into it, and the memory it will be written to.
 */
final class SplitHalf {
  final SegmentImage image = new SegmentImage();
  private final LongList spilledSlots = new LongList();
  private final LongList spilledLines = new LongList();
  private final LongList blocks = new LongList();
  private final long[] blockWords = new long[HashSegmentLayout.WINDOW_WORDS];
  private int depth;
  private long address;

  void clear(int depth) {
    this.depth = depth;
    image.clear(depth);
    spilledSlots.clear();
    spilledLines.clear();
    blocks.clear();
    address = PoolAddress.NULL;
  }

  void add(long hash, long slot) {
    int home = KeyHash.home(hash);
    long tagged = HashSlotLayout.retag(slot, depth);
    if (!image.place(home, tagged)) {
      spilledSlots.add(tagged);
      spilledLines.add(HashSegmentLayout.headerLine(home));
    }
  }

  long address() {
    return address;
  }

  /** Allocates the segment; returns false if the pool is exhausted. */
  boolean allocate(PoolAllocator allocator) {
    address = allocator.allocate(HashSegmentLayout.SIZE_CLASS);
    return address != PoolAddress.NULL;
  }

  /**
   * Allocates and writes overflow blocks for the entries that do not fit, and adds them to the
   * image; returns false if the pool is exhausted.
   */
  boolean writeSpilled(Channel channel, PoolAllocator allocator) {
    for (int line = 0; line < HashSegmentLayout.LINES && spilledSlots.size() > 0; line += 2) {
      int count = 0;
      for (int i = 0; i < spilledSlots.size(); i++) {
        if (spilledLines.get(i) == line) {
          if (count == 0) {
            Arrays.fill(blockWords, HashSlotLayout.free(depth));
          }
          blockWords[++count] = spilledSlots.get(i);
          if (count == HashSegmentLayout.BLOCK_SLOTS) {
            if (!writeBlock(channel, allocator, line)) {
              return false;
            }
            count = 0;
          }
        }
      }
      if (count > 0 && !writeBlock(channel, allocator, line)) {
        return false;
      }
    }
    return true;
  }

  private boolean writeBlock(Channel channel, PoolAllocator allocator, int line) {
    long block = allocator.allocate(HashSegmentLayout.BLOCK_SIZE_CLASS);
    if (block == PoolAddress.NULL) {
      return false;
    }
    blocks.add(block);
    blockWords[0] = image.header(line);
    BulkCopy.write(channel, block, blockWords, 0, HashSegmentLayout.WINDOW_WORDS);
    image.setHeader(line, HashSlotLayout.header(depth, block));
    return true;
  }

  /** Frees the memory that was allocated; no other thread has seen it. */
  void free(PoolAllocator allocator) {
    if (address != PoolAddress.NULL) {
      allocator.free(address, HashSegmentLayout.SIZE_CLASS);
    }
    for (int i = 0; i < blocks.size(); i++) {
      allocator.free(blocks.get(i), HashSegmentLayout.BLOCK_SIZE_CLASS);
    }
  }
}
