package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/** Walks over chains of overflow blocks; for the rare paths. */
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

  /**
   * Adds the slots in use of chains to {@code out}; false if a block is not of that depth.
   *
   * @param heads the first blocks of the chains
   */
  static boolean collectSlots(Channel channel, LongList heads, int depth, LongList out) {
    return walk(channel, heads, (block, offset) -> collectSlots(channel, offset, depth, out));
  }

  /** Collects the slots in use of one block in the staging buffer. */
  static boolean collectSlots(Channel channel, int offset, int depth, LongList out) {
    for (int i = 1; i < HashSegmentLayout.WINDOW_WORDS; i++) {
      long slot = channel.staging().get(JAVA_LONG, offset + i * Long.BYTES);
      if (!HashSlotLayout.isFree(slot)) {
        out.add(slot);
      }
    }
    return WindowScan.isWhole(channel.staging(), offset, depth);
  }

  static boolean hasFreeSlot(Channel channel, long head) {
    return !walk(
        channel,
        LongList.of(head),
        (block, offset) -> WindowScan.findFree(channel.staging(), offset) == WindowScan.NONE);
  }

  static void retire(Channel channel, PoolAllocator allocator, LongList heads, long timestamp) {
    walk(
        channel,
        heads,
        (block, offset) -> {
          allocator.retire(block, HashSegmentLayout.BLOCK_SIZE_CLASS, timestamp);
          return true;
        });
  }

  /** Visitor of a block whose copy is in the staging buffer; returns false to go no further. */
  interface Visitor {
    boolean visit(long block, int offset);
  }

  /**
   * Reads the blocks of chains, the first of all of them together, then the second ones, as many at
   * a time as the staging buffer has room for.
   *
   * @param heads the first blocks of the chains; those that are NULL are passed over
   * @return whether all were visited
   */
  static boolean walk(Channel channel, LongList heads, Visitor visitor) {
    LongList level = new LongList();
    for (int i = 0; i < heads.size(); i++) {
      if (heads.get(i) != PoolAddress.NULL) {
        level.add(heads.get(i));
      }
    }
    boolean all = true;
    while (level.size() > 0 && all) {
      LongList following = new LongList();
      int room = Math.max(1, channel.stagingAvailable() / HashSegmentLayout.BLOCK_LENGTH);
      for (int from = 0; from < level.size() && all; from += room) {
        int to = Math.min(level.size(), from + room);
        all = visit(channel, level, from, to, visitor, following);
      }
      level = following;
    }
    return all;
  }

  private static boolean visit(
      Channel channel, LongList blocks, int from, int to, Visitor visitor, LongList following) {
    int mark = channel.mark();
    int first = channel.reserve((to - from) * HashSegmentLayout.BLOCK_LENGTH);
    for (int i = from; i < to; i++) {
      int offset = first + (i - from) * HashSegmentLayout.BLOCK_LENGTH;
      channel.read(blocks.get(i), offset, HashSegmentLayout.BLOCK_LENGTH);
    }
    channel.flush();
    boolean all = true;
    for (int i = from; i < to && all; i++) {
      int offset = first + (i - from) * HashSegmentLayout.BLOCK_LENGTH;
      all = visitor.visit(blocks.get(i), offset);
      long next = next(channel, offset);
      if (next != PoolAddress.NULL) {
        following.add(next);
      }
    }
    channel.release(mark);
    return all;
  }
}
