package org.nelumbo.dm.index.hash;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;

/**
 * Makes room for a key whose window is full: splits the segment if it is well filled, else adds an
 * overflow block (the window had bad luck, or holds many equal keys, which no split can part).
 * Holds the segment's latch meanwhile. Reusable, for one thread at a time.
 */
final class SegmentGrowth {
  /** There may be room now: look again. */
  static final int RETRY = 0;

  /** The segment was split. */
  static final int SPLIT = 1;

  /** The pool has no memory left; nothing has changed. */
  static final int EXHAUSTED = 2;

  /**
   * Slots in use, of the lines' 930, from which on a full window means a split. At four fifths one
   * window in twelve has a chain; on average over a cycle, one in sixty.
   */
  static final int SPLIT_SLOTS = HashSegmentLayout.SLOTS * 4 / 5;

  /**
   * Staging bytes that must be free; with less than a segment's length free, copies take more round
   * trips.
   */
  private static final int STAGING_BYTES = 1024;

  private final SegmentImage image = new SegmentImage();
  private final SegmentSplit split = new SegmentSplit();
  private final long[] blockWords = new long[HashSegmentLayout.WINDOW_WORDS];
  private final LongSupplier clock;
  private final int owner;

  SegmentGrowth(LongSupplier clock, int owner) {
    this.clock = clock;
    this.owner = owner;
  }

  int grow(Channel channel, PoolAllocator allocator, long segment, int depth, int home) {
    if (channel.stagingAvailable() < STAGING_BYTES) {
      throw new IllegalStateException(
          "too little staging left to grow a hash index available="
              + channel.stagingAvailable()
              + " needed="
              + STAGING_BYTES);
    }
    if (!SegmentLatch.tryAcquire(channel, segment, depth, owner)) {
      return RETRY;
    }
    image.load(channel, segment);
    int result = RETRY;
    if (isFull(channel, home)) {
      boolean splits = depth < HashSegmentLayout.MAX_DEPTH && image.usedSlots() >= SPLIT_SLOTS;
      result =
          splits
              ? split(channel, allocator, segment, depth)
              : extend(channel, allocator, segment, depth, HashSegmentLayout.headerLine(home));
    }
    if (result != SPLIT) {
      SegmentLatch.release(channel, segment, depth);
    }
    return result;
  }

  private int split(Channel channel, PoolAllocator allocator, long segment, int depth) {
    try {
      split.read(channel, segment, image, depth);
    } catch (IllegalStateException corrupt) {
      SegmentLatch.release(channel, segment, depth);
      throw corrupt;
    }
    return split.write(channel, allocator, segment, image, depth, clock) ? SPLIT : EXHAUSTED;
  }

  private boolean isFull(Channel channel, int home) {
    long chain = HashSlotLayout.address(image.header(HashSegmentLayout.headerLine(home)));
    return image.freeSlots(home) == 0
        && image.freeSlots(home + 1) == 0
        && !OverflowChain.hasFreeSlot(channel, chain);
  }

  /**
   * Puts an empty overflow block at the head of a line's chain, by one word. If this coordinator
   * dies before, there is nothing to repair but the latch.
   */
  private int extend(Channel channel, PoolAllocator allocator, long segment, int depth, int line) {
    long block = allocator.allocate(HashSegmentLayout.BLOCK_SIZE_CLASS);
    if (block == PoolAddress.NULL) {
      return EXHAUSTED;
    }
    Arrays.fill(blockWords, HashSlotLayout.free(depth));
    blockWords[0] = image.header(line);
    BulkCopy.write(channel, block, blockWords, 0, HashSegmentLayout.WINDOW_WORDS);
    long header = HashSlotLayout.header(depth, block);
    channel.writeLong(segment + HashSegmentLayout.lineOffset(line), header);
    channel.flush();
    return RETRY;
  }

  /**
   * Finishes, or undoes, what {@code deadOwner} left half-done in a segment. Whoever calls this
   * knows that the owner is dead and fenced: none of its verbs can arrive any more.
   *
   * @return whether there was something to do
   */
  boolean repair(Channel channel, PoolAllocator allocator, long segment, int deadOwner) {
    long latch = SegmentLatch.read(channel, segment);
    if (HashSegmentLayout.latchState(latch) != HashSegmentLayout.STATE_LATCHED
        || HashSegmentLayout.latchOwner(latch) != deadOwner) {
      return false;
    }
    int depth = HashSegmentLayout.latchDepth(latch);
    long mine = HashSegmentLayout.latch(owner, HashSegmentLayout.STATE_LATCHED, depth);
    if (!SegmentLatch.replace(channel, segment, latch, mine)) {
      return false;
    }
    image.load(channel, segment);
    long born = image.head(HashSegmentLayout.SPLIT_INTENT_OFFSET);
    boolean released = born != 0 && split.finish(channel, allocator, segment, born, depth, clock);
    if (!released) {
      SegmentLatch.release(channel, segment, depth);
    }
    return true;
  }
}
