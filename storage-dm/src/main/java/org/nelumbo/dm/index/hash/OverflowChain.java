package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/** Reads chains of overflow blocks; for the rare paths. */
final class OverflowChain {
  private OverflowChain() {}

  /** Reads one block to {@code offset}; returns the next block's address, 0 at the end. */
  static long readBlock(Channel channel, long block, int offset) {
    channel.read(block, offset, HashSegmentLayout.BLOCK_LENGTH);
    channel.flush();
    return next(channel, offset);
  }

  /**
   * Returns the address of the block after the one that was read to {@code offset}, 0 at the end.
   */
  static long next(Channel channel, int offset) {
    return HashSlotLayout.address(channel.staging().get(JAVA_LONG, offset));
  }

  /**
   * Adds the used slots of chains to {@code out}; returns false if a block is not of the given
   * depth.
   *
   * @param heads first blocks of the chains
   */
  static boolean collectSlots(Channel channel, LongList heads, int depth, LongList out) {
    return walk(channel, heads, (block, offset) -> collectSlots(channel, offset, depth, out));
  }

  /** Adds the used slots of one block in the staging buffer. */
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

  /** Visits a block whose copy is in the staging buffer; returns false to stop the walk. */
  interface Visitor {
    boolean visit(long block, int offset);
  }

  /**
   * Reads the blocks of chains level by level: the first blocks of all chains together, then the
   * second ones, as many at a time as the staging buffer has room for.
   *
   * @param heads first blocks of the chains; NULL ones are skipped
   * @return true if all blocks were visited
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
