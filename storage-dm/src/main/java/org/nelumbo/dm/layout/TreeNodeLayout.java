package org.nelumbo.dm.layout;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * A node of an ordered index, and the root block that leads to the first one.
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
 * 24  |  low  | high  |prefix |suffix | heap (2)      |           0            |  lengths, a byte
 * each +-------+-------+-------+-------+---------------+------------------------+ 32  |  low fence,
 * high fence, common prefix of the keys, then the entries    |
 * +------------------------------------------------------------------------+
 * </pre>
 *
 * <p><b>Latch word.</b> It names the index (the address of its root block) and whoever holds the
 * latch: {@link #FREE}, {@link #DEAD} or a compute node. So a CAS from "free, of this index" fails
 * on memory that has been reused for anything else, and a copy of such memory is recognised; bit 31
 * is one, which no record length, the other thing at offset 0 of pool memory, has.
 *
 * <p><b>Header word.</b> W is set while the holder of the latch writes; each write ends with a new
 * version. A copy is good if the header word was the same, without W, when read before and after
 * it. {@code last} is the position of the newest entry, {@link #NO_LAST} if that is not known.
 *
 * <p><b>Range.</b> Keys k with low fence <= k < high fence; the length {@link #OPEN} marks an open
 * high fence.
 *
 * <p><b>Entries</b>, in key order. If all suffixes (keys without the prefix) have one length,
 * {@code suffix} is this length and an entry is the suffix, then 6 bytes address. Otherwise it is
 * {@link #VARIABLE}, and here are slots of two bytes: offsets of entries in the heap, which grows
 * down from the end to {@code heap}; such an entry is the length of its suffix (1), the suffix, the
 * address (6). An inner node's entries are (low fence of the child, child); the first one's key is
 * the node's own low fence and is not stored, its suffix means nothing.
 *
 * <p><b>Root block</b> (64 bytes): the address of the root node; then a word that is not 0 while
 * the index is {@link #INCOMPLETE}.
 */
public final class TreeNodeLayout {
  public static final int LENGTH = 1024;
  public static final int SIZE_CLASS = SizeClass.of(LENGTH);
  public static final int ROOT_BLOCK_SIZE_CLASS = SizeClass.of(64);

  /** Offset in the root block of the word that tells whether the index is complete. */
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

  /** Behind the heap offset and two bytes that are 0. */
  public static final int FENCES_OFFSET = HEAP_OFFSET + 2 * Short.BYTES;

  /** Bytes of an address in an entry. */
  public static final int ADDRESS_LENGTH = 6;

  /**
   * Bytes of a slot, and of the length before a suffix, in a node with suffixes of several lengths.
   */
  public static final int SLOT_LENGTH = 2;

  public static final int SUFFIX_LENGTH_LENGTH = 1;

  /**
   * The longest key. Two fences and two entries of this length fit a node, and a node of smaller
   * entries can always be split into two with their new fences.
   */
  public static final int KEY_LENGTH_MAX = 200;

  public static final int OPEN = 255;
  public static final int VARIABLE = 255;
  public static final int NO_LAST = 255;

  /** Most entries of a node; a count is one byte. */
  public static final int COUNT_MAX = 255;

  public static final int FREE = 0;
  public static final int OWNER_BITS = 21;

  /** The owner of a node that is no longer part of the index: its right sibling has its range. */
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

  /** The latch word of a free node of the index with that root block. */
  public static long freeLatch(long rootBlock) {
    long index = (rootBlock & PoolAddress.MASK) >>> ROOT_BLOCK_SHIFT;
    long low = index & (MARK - 1);
    long high = index >>> INDEX_LOW_BITS;
    return high << (INDEX_LOW_BITS + 1) | MARK | low;
  }

  /** The latch word of a node that {@code owner} holds, from that of a free one. */
  public static long latch(long freeLatch, int owner) {
    return freeLatch | (long) owner << OWNER_SHIFT;
  }

  public static int owner(long latch) {
    return (int) (latch >>> OWNER_SHIFT);
  }

  /** Whether a word is the latch word of a node, in any state, of the index. */
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

  /** A header word with the mark that its node is being written. */
  public static long writing(long header) {
    return header | WRITING;
  }

  /** A header word with the next version and without the mark. */
  public static long nextVersion(long header) {
    return (header & ~WRITING) + VERSION_ONE;
  }
}
