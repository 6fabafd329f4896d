package org.nelumbo.dm.layout;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * A node of an ordered index, and the root block that points to the root node.
 *
 * <pre>
 *      63                  43 42           32 31  30                          0
 *     +----------------------+---------------+---+-----------------------------+
 *  0  |        owner         |  index (high) | 1 |         index (low)         |  latch word
 *     +----------------------+---------------+---+-----------------------------+
 *      63                               32 31 30     24 23   16 15    8 7      0
 *     +-----------------------------------+--+---------+-------+-------+-------+
 *  8  |              version              |W |    0    | level | last  | count |  header word
 *     +-----------------------------------+--+---------+-------+-------+-------+
 * 16  |                    right sibling, 0 if there is none                   |
 *     +-------+-------+-------+-------+---------------+------------------------+
 * 24  |  low  | high  |prefix |suffix |   heap (2)    |           0            |  lengths, 1 each
 *     +-------+-------+-------+-------+---------------+------------------------+
 * 32  |  low fence, high fence, common prefix of the keys, then the entries    |
 *     +------------------------------------------------------------------------+
 * </pre>
 *
 * <p><b>Latch word.</b> It names the index (the address of its root block) and the holder of the
 * latch: {@link #FREE}, {@link #DEAD} or a compute node. So a CAS from "free, of this index" fails
 * on memory that has been reused for anything else, and a copy of such memory is recognised. Bit 31
 * is one, which distinguishes a node from a record: a record length, the other possible content of
 * offset 0 of pool memory, never has that bit.
 *
 * <p><b>Header word.</b> W is set while the holder of the latch writes; each write ends with a new
 * version. A copy is valid if the header word was the same, without W, before and after it was
 * read. {@code last} is the position of the newest entry, {@link #NO_LAST} if unknown.
 *
 * <p><b>Range.</b> Keys k with low fence &lt;= k &lt; high fence; the length {@link #OPEN} marks an
 * open high fence.
 *
 * <p><b>Entries</b>, in key order. If all suffixes (keys without the prefix) have one length,
 * {@code suffix} is this length, and an entry is the suffix, then 6 bytes of address. Otherwise
 * {@code suffix} is {@link #VARIABLE}, and the entries area holds slots of two bytes: offsets of
 * entries in the heap, which grows down from the end to {@code heap}. Such an entry is the length
 * of its suffix (1), the suffix, the address (6). An inner node's entries are (low fence of the
 * child, child). The key of the first one is the node's own low fence and is not stored; its suffix
 * is meaningless.
 *
 * <p><b>Root block</b> (64 bytes): the address of the root node; then a word that is not 0 while
 * the index is {@link #INCOMPLETE}.
 */
public final class TreeNodeLayout {
  public static final int LENGTH = 1024;
  public static final int SIZE_CLASS = SizeClass.of(LENGTH);
  public static final int ROOT_BLOCK_SIZE_CLASS = SizeClass.of(64);

  /** Offset in the root block of the word that marks an incomplete index. */
  public static final int STATE_OFFSET = 8;

  public static final long COMPLETE = 0;
  public static final long INCOMPLETE = 1;

  public static final int LATCH_OFFSET = 0;
  public static final int HEADER_OFFSET = LATCH_OFFSET + Long.BYTES;
  public static final int RIGHT_OFFSET = HEADER_OFFSET + Long.BYTES;
  public static final int LOW_LENGTH_OFFSET = RIGHT_OFFSET + Long.BYTES;
  public static final int HIGH_LENGTH_OFFSET = LOW_LENGTH_OFFSET + Byte.BYTES;
  public static final int PREFIX_LENGTH_OFFSET = HIGH_LENGTH_OFFSET + Byte.BYTES;
  public static final int SUFFIX_LENGTH_OFFSET = PREFIX_LENGTH_OFFSET + Byte.BYTES;
  public static final int HEAP_OFFSET = SUFFIX_LENGTH_OFFSET + Byte.BYTES;

  /** Offset after the heap offset and two bytes that are 0. */
  public static final int FENCES_OFFSET = HEAP_OFFSET + 2 * Short.BYTES;

  /** Bytes of an address in an entry. */
  public static final int ADDRESS_LENGTH = 6;

  /** Bytes of a slot in a node with suffixes of several lengths. */
  public static final int SLOT_LENGTH = 2;

  public static final int SUFFIX_LENGTH_LENGTH = 1;

  /**
   * Bytes of the longest key. Two fences and two entries of this length fit a node, and a node of
   * smaller entries can always be split into two with their new fences.
   */
  public static final int KEY_LENGTH_MAX = 200;

  public static final int OPEN = 255;
  public static final int VARIABLE = 255;
  public static final int NO_LAST = 255;

  /** Maximum number of entries of a node; a count is one byte. */
  public static final int COUNT_MAX = 255;

  public static final int FREE = 0;
  public static final int OWNER_BITS = 21;

  /** Owner of a node that is no longer part of the index: its right sibling has its range. */
  public static final int DEAD = (1 << OWNER_BITS) - 1;

  private static final int OWNER_SHIFT = 64 - OWNER_BITS;
  private static final int INDEX_LOW_BITS = 31;
  private static final long INDEX_MASK = (1L << OWNER_SHIFT) - 1;
  private static final long MARK = 1L << INDEX_LOW_BITS;
  private static final int ROOT_BLOCK_SHIFT = 6;

  private static final int LAST_SHIFT = 8;
  private static final int LEVEL_SHIFT = 16;
  private static final long WRITING = 1L << 31;
  private static final long VERSION_ONE = 1L << 32;

  private TreeNodeLayout() {}

  /** Returns the latch word of a free node of the index with the given root block. */
  public static long freeLatch(long rootBlock) {
    long index = (rootBlock & PoolAddress.MASK) >>> ROOT_BLOCK_SHIFT;
    long low = index & (MARK - 1);
    long high = index >>> INDEX_LOW_BITS;
    return high << (INDEX_LOW_BITS + 1) | MARK | low;
  }

  /** Returns the latch word of a node held by {@code owner}, given its free latch word. */
  public static long latch(long freeLatch, int owner) {
    return freeLatch | (long) owner << OWNER_SHIFT;
  }

  public static int owner(long latch) {
    return (int) (latch >>> OWNER_SHIFT);
  }

  /** Returns true if a word is the latch word of a node of the index, in any state. */
  public static boolean isOfIndex(long word, long freeLatch) {
    return (word & INDEX_MASK) == freeLatch;
  }

  public static long header(int version, int level, int count, int last) {
    return (long) version << 32 | (long) level << LEVEL_SHIFT | (long) last << LAST_SHIFT | count;
  }

  public static int count(long header) {
    return (int) header & 255;
  }

  public static int last(long header) {
    return (int) (header >>> LAST_SHIFT) & 255;
  }

  public static int level(long header) {
    return (int) (header >>> LEVEL_SHIFT) & 255;
  }

  public static boolean isWriting(long header) {
    return (header & WRITING) != 0;
  }

  /** Returns a header word marked as being written. */
  public static long writing(long header) {
    return header | WRITING;
  }

  /** Returns a header word with the next version and without the mark. */
  public static long nextVersion(long header) {
    return (header & ~WRITING) + VERSION_ONE;
  }
}
