package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LatchOwner;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Makes room for a key whose window is full: splits the segment if it is well filled, otherwise
 * adds an overflow block (by chance, more entries than average belong to this window; or it holds
 * many equal keys, which no split can separate). Holds the segment's latch meanwhile. Reusable, for
 * one thread at a time.
 */
final class SegmentGrowth {
  /** There may be room now: try again. */
  static final int RETRY = 0;

  /** The segment was split. */
  static final int SPLIT = 1;

  /** The pool has no memory left; nothing has changed. */
  static final int EXHAUSTED = 2;

  /** The entry is in a new overflow block. */
  static final int ADDED = 3;

  /**
   * Number of used slots, of 930 slots in the lines, from which a full window causes a split. At
   * four fifths one window in twelve has a chain; on average over a cycle, one in sixty.
   */
  static final int SPLIT_SLOTS = HashSegmentLayout.SLOTS * 4 / 5;

  /**
   * Staging bytes that must be free; if less than a segment's length is free, copies take more
   * round trips.
   */
  private static final int STAGING_BYTES = 1024;

  private final SegmentImage image = new SegmentImage();
  private final SegmentSplit split = new SegmentSplit();
  private final long[] blockWords = new long[HashSegmentLayout.WINDOW_WORDS];
  private final ToLongFunction<Channel> clock;
  private final int owner;

  SegmentGrowth(ToLongFunction<Channel> clock, int owner) {
    this.clock = clock;
    this.owner = owner;
  }

  /**
   * Makes room in the window of {@code home}, which was found full and without the entry.
   *
   * @param word slot of the entry to be added, at that depth; the caller holds the key's write lock
   */
  int grow(Channel channel, PoolAllocator allocator, long segment, int depth, int home, long word) {
    if (channel.stagingAvailable() < STAGING_BYTES) {
      throw new IllegalStateException(
          "too little staging left to grow a hash index available="
              + channel.stagingAvailable()
              + " needed="
              + STAGING_BYTES);
    }
    if (!latchAndLoad(channel, segment, depth)) {
      return RETRY;
    }
    int result = RETRY;
    if (isFull(channel, home)) {
      boolean splits = depth < HashSegmentLayout.MAX_DEPTH && image.usedSlots() >= SPLIT_SLOTS;
      int line = HashSegmentLayout.headerLine(home);
      result =
          splits
              ? split(channel, allocator, segment, depth)
              : extend(channel, allocator, segment, depth, line, word);
    }
    if (result == RETRY || result == EXHAUSTED) {
      SegmentLatch.release(channel, segment, held(depth), depth);
    }
    return result;
  }

  private boolean latchAndLoad(Channel channel, long segment, int depth) {
    int mark = channel.mark();
    int ticket = SegmentLatch.postAcquire(channel, segment, depth, owner);
    image.load(channel, segment);
    boolean latched = SegmentLatch.isAcquired(channel, ticket, depth);
    channel.release(mark);
    return latched;
  }

  private long held(int depth) {
    return HashSegmentLayout.latch(owner, HashSegmentLayout.STATE_LATCHED, depth);
  }

  private int split(Channel channel, PoolAllocator allocator, long segment, int depth) {
    try {
      split.read(channel, segment, image, depth);
    } catch (IllegalStateException corrupt) {
      SegmentLatch.release(channel, segment, held(depth), depth);
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
   * Adds an overflow block with the entry at the head of a line's chain, by writing one word, and
   * releases the latch. If this coordinator fails before, only the latch has to be repaired.
   */
  private int extend(
      Channel channel, PoolAllocator allocator, long segment, int depth, int line, long word) {
    long block = allocator.allocate(HashSegmentLayout.BLOCK_SIZE_CLASS);
    if (block == PoolAddress.NULL) {
      return EXHAUSTED;
    }
    Arrays.fill(blockWords, HashSlotLayout.free(depth));
    blockWords[0] = image.header(line);
    blockWords[1] = word;
    int mark = channel.mark();
    int offset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
    MemorySegment.copy(
        blockWords, 0, channel.staging(), JAVA_LONG, offset, HashSegmentLayout.WINDOW_WORDS);
    channel.write(block, offset, HashSegmentLayout.BLOCK_LENGTH);
    if (PoolAddress.node(block) != PoolAddress.node(segment)) {
      channel
          .flush(); // a reader of the block must find it complete: verbs to two nodes have no order
    }
    long header = HashSlotLayout.header(depth, block);
    channel.writeLong(segment + HashSegmentLayout.lineOffset(line), header);
    SegmentLatch.postRelease(channel, segment, held(depth), depth);
    channel.flush();
    channel.release(mark);
    return ADDED;
  }

  /**
   * Finishes or undoes the work that {@code deadOwner} left half-done in a segment. The caller
   * knows that the owner has failed and is fenced: none of its verbs can arrive any more.
   *
   * @return true if the segment was repaired
   */
  boolean repair(Channel channel, PoolAllocator allocator, long segment, int deadOwner) {
    long latch = SegmentLatch.read(channel, segment);
    if (HashSegmentLayout.latchState(latch) != HashSegmentLayout.STATE_LATCHED
        || !LatchOwner.isDead(HashSegmentLayout.latchOwner(latch), deadOwner)) {
      return false;
    }
    int depth = HashSegmentLayout.latchDepth(latch);
    long mine = held(depth);
    if (!SegmentLatch.replace(channel, segment, latch, mine)) {
      return false;
    }
    image.load(channel, segment);
    long born = image.head(HashSegmentLayout.SPLIT_INTENT_OFFSET);
    boolean released =
        born != 0 && split.finish(channel, allocator, segment, mine, born, depth, clock);
    if (!released) {
      SegmentLatch.release(channel, segment, held(depth), depth);
    }
    return true;
  }
}
