package org.nelumbo.dm.index.tree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.alloc.SizeClass;

/**
 * A node of the B-link tree, 1 KiB.
 *
 * <pre>
 *   0  | latch: owner (16) | count of writes (47) | latched (1)                        |
 *   8  | right sibling, 0 if none                                                      |
 *  16  | left sibling, 0 if none (a hint: it may have split since)                     |
 *  24  | level (1) | flags (1) | entries (2) | heap start (2) | prefix length (2)      |
 *  32  | low fence: offset (2), length (2) | high fence: offset (2), length (2)        |
 *  40  | position of the last insert (2)                                               |
 *  42  | entry offsets, 2 bytes each, in key order ...                                 |
 *      |                 free                                                          |
 *      | heap: fences, entries: suffix length (1), suffix, address (6)            1023 |
 * </pre>
 *
 * Keys of a node lie in [low fence, high fence). All of them share the first {@code prefix length} bytes of the low fence; entries hold the rest. The high fence of the
 * right-most node of a level is open (length {@link #OPEN}). Entries of an inner node are (lowest key of the child, child); the first child's key is the node's low fence.
 */
final class NodeLayout {
  static final int LENGTH = 1024;
  static final int SIZE_CLASS = SizeClass.of(LENGTH);
  static final int LATCH_OFFSET = 0;
  static final int RIGHT_OFFSET = 8;
  static final int LEFT_OFFSET = 16;
  static final int LEVEL_OFFSET = 24;
  static final int FLAGS_OFFSET = 25;
  static final int COUNT_OFFSET = 26;
  static final int HEAP_OFFSET = 28;
  static final int PREFIX_OFFSET = 30;
  static final int LOW_OFFSET = 32;
  static final int LOW_LENGTH_OFFSET = 34;
  static final int HIGH_OFFSET = 36;
  static final int HIGH_LENGTH_OFFSET = 38;
  static final int LAST_INSERT_OFFSET = 40;
  static final int SLOTS_OFFSET = 42;
  static final int SLOT_LENGTH = 2;

  /** Suffix length and address of an entry. */
  static final int ENTRY_OVERHEAD = 7;

  static final int ADDRESS_LENGTH = 6;
  static final int OPEN = 0xFFFF;
  static final long LATCHED = 1;

  /** Longest key. */
  static final int MAX_KEY = 200;

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private NodeLayout() {}

  static long address(MemorySegment segment, long at) {
    return (segment.get(INT, at) & 0xFFFFFFFFL) | ((segment.get(SHORT, at + 4) & 0xFFFFL) << 32);
  }

  static void putAddress(MemorySegment segment, long at, long address) {
    segment.set(INT, at, (int) address);
    segment.set(SHORT, at + 4, (short) (address >>> 32));
  }
}
