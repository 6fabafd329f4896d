package org.nelumbo.dm.alloc;

import java.util.Arrays;
import org.nelumbo.dm.layout.SizeClass;

/**
 * Coalesces adjacent free blocks into ranges, which are cut anew for other size classes. Otherwise
 * memory would stay in the sizes it was first cut into, and a pool full of small free blocks would
 * have no room for a large one. It sorts all blocks, so it runs rarely: when a node is exhausted,
 * after much has been freed at once, and before free memory is donated.
 */
final class BlockCoalescer {
  /**
   * Minimum length of a range. A shorter run stays in blocks, since cutting it again has no
   * benefit.
   */
  static final int RANGE_BYTES_MIN = 4 << 10;

  private static final int CLASS_BITS = 6;
  private static final int CLASS_MASK = (1 << CLASS_BITS) - 1;
  private static final int RANGE_ALIGNMENT = 64;

  private final LongStack[] free;
  private final LongStack rangeStarts;
  private final LongStack rangeEnds;

  /**
   * Creates a coalescer.
   *
   * @param free free blocks by class
   * @param rangeStarts start addresses of ranges; ranges start and end at multiples of 64
   */
  BlockCoalescer(LongStack[] free, LongStack rangeStarts, LongStack rangeEnds) {
    this.free = free;
    this.rangeStarts = rangeStarts;
    this.rangeEnds = rangeEnds;
  }

  /** Moves adjacent blocks from the free lists to the ranges; short runs stay blocks. */
  void run() {
    while (rangeStarts.size() > 0) {
      RangeCutter.cut(rangeStarts.pop(), rangeEnds.pop(), free);
    }
    long[] blocks = takeAll();
    for (int from = 0; from < blocks.length; ) {
      int to = from + 1;
      while (to < blocks.length && address(blocks[to]) == end(blocks[to - 1])) {
        to++;
      }
      addRun(blocks, from, to);
      from = to;
    }
  }

  /**
   * Returns all blocks in ascending order, with the address in the upper and the class in the lower
   * bits.
   */
  private long[] takeAll() {
    int count = 0;
    for (LongStack each : free) {
      count += each.size();
    }
    long[] blocks = new long[count];
    int at = 0;
    for (int sizeClass = 0; sizeClass < free.length; sizeClass++) {
      while (free[sizeClass].size() > 0) {
        blocks[at++] = free[sizeClass].pop() << CLASS_BITS | sizeClass;
      }
    }
    Arrays.sort(blocks);
    return blocks;
  }

  private static long address(long block) {
    return block >>> CLASS_BITS;
  }

  private static int sizeClass(long block) {
    return (int) block & CLASS_MASK;
  }

  private static long end(long block) {
    return address(block) + SizeClass.bytes(sizeClass(block));
  }

  private void addRun(long[] blocks, int from, int to) {
    int first = from;
    int last = to;
    while (first < last && address(blocks[first]) % RANGE_ALIGNMENT != 0) {
      first++;
    }
    while (first < last && end(blocks[last - 1]) % RANGE_ALIGNMENT != 0) {
      last--;
    }
    boolean joined =
        first < last && end(blocks[last - 1]) - address(blocks[first]) >= RANGE_BYTES_MIN;
    if (joined) {
      rangeStarts.push(address(blocks[first]));
      rangeEnds.push(end(blocks[last - 1]));
    }
    for (int i = from; i < to; i++) {
      if (!joined || i < first || i >= last) {
        free[sizeClass(blocks[i])].push(address(blocks[i]));
      }
    }
  }
}
