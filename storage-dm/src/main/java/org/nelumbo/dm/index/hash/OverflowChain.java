package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;

/** Walks over chains of overflow blocks, one round trip a block; for the rare paths. */
final class OverflowChain {
  private OverflowChain() {}

  /** READs one block to {@code offset}; returns the next block's address, 0 at the end. */
  static long readBlock(Channel channel, long block, int offset) {
    channel.read(block, offset, HashSegmentLayout.BLOCK_LENGTH);
    channel.flush();
    return next(channel, offset);
  }

  /** The address of the block after one that was read to {@code offset}, 0 at the end. */
  static long next(Channel channel, int offset) {
    return HashSlotLayout.address(channel.staging().get(JAVA_LONG, offset));
  }

  /** Adds the slots in use of a chain to {@code out}; false if a block is not of that depth. */
  static boolean collectSlots(Channel channel, long head, int depth, LongList out) {
    int mark = channel.mark();
    int offset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
    boolean whole = true;
    for (long block = head; block != 0 && whole; ) {
      block = readBlock(channel, block, offset);
      whole = WindowScan.isWhole(channel.staging(), offset, depth);
      for (int i = 1; i < HashSegmentLayout.WINDOW_WORDS; i++) {
        long slot = channel.staging().get(JAVA_LONG, offset + i * Long.BYTES);
        if (!HashSlotLayout.isFree(slot)) {
          out.add(slot);
        }
      }
    }
    channel.release(mark);
    return whole;
  }

  static boolean hasFreeSlot(Channel channel, long head) {
    int mark = channel.mark();
    int offset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
    boolean free = false;
    for (long block = head; block != 0 && !free; ) {
      block = readBlock(channel, block, offset);
      free = WindowScan.findFree(channel.staging(), offset) != WindowScan.NONE;
    }
    channel.release(mark);
    return free;
  }

  static int countBlocks(Channel channel, long head) {
    int mark = channel.mark();
    int offset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
    int count = 0;
    for (long block = head; block != 0; count++) {
      block = readBlock(channel, block, offset);
    }
    channel.release(mark);
    return count;
  }

  static void retire(Channel channel, PoolAllocator allocator, long head, long timestamp) {
    int mark = channel.mark();
    int offset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
    for (long block = head; block != 0; ) {
      long next = readBlock(channel, block, offset);
      allocator.retire(block, HashSegmentLayout.BLOCK_SIZE_CLASS, timestamp);
      block = next;
    }
    channel.release(mark);
  }
}
