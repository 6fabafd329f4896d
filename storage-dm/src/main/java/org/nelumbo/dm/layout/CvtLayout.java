package org.nelumbo.dm.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A consecutive version table (LOTUS section 4.4): the versions of one row.
 *
 * <pre>
 *     0                       4          5           6  8
 *     +-----------------------------------------------------+
 *  0  |                     LOTUS key                       |
 *     +-----------------------+----------+-----------+------+
 *  8  |       store id        |  cells   |block class|   0  |
 *     +-----------------------+----------+-----------+------+
 * 16  |        overflow: newest overflow block, or 0        |
 *     +-----------------------------------------------------+
 * 24  |            cell 0 (see CellLayout): word 0          |
 * 32  |                                   word 1            |
 *     +-----------------------------------------------------+
 * 40  |            cell 1 ...                               |
 *     +-----------------------------------------------------+
 * 56  |            inline slot: room for a record            |
 * </pre>
 *
 * With two cells it is 56 bytes long. It never moves and its header never changes but for the
 * overflow pointer, which is written before the cell whose version it takes over. In the accessors
 * {@code cvt} is an offset in the segment.
 *
 * <p>Its block of memory, whose size class the header has, goes on with the <i>inline slot</i>:
 * room for a record, the row's first one as a rule, and later ones when no version lies there that
 * anybody needs. So one round trip reads a CVT and, mostly, its newest record, and one run of cache
 * lines holds both. A record in the inline slot is told from all others by its address: blocks of
 * memory begin at a multiple of 16, inline slots eight bytes beside one. It has no memory of its
 * own and is never freed; the block goes with the CVT.
 */
public final class CvtLayout {
  public static final int LOTUS_KEY_OFFSET = 0;
  public static final int STORE_ID_OFFSET = LOTUS_KEY_OFFSET + Long.BYTES;
  public static final int CELLS_OFFSET = STORE_ID_OFFSET + Integer.BYTES;
  public static final int BLOCK_CLASS_OFFSET = CELLS_OFFSET + Byte.BYTES;

  /** The word behind that of store id, cells and block class. */
  public static final int OVERFLOW_OFFSET = STORE_ID_OFFSET + Long.BYTES;

  public static final int FIRST_CELL_OFFSET = OVERFLOW_OFFSET + Long.BYTES;
  public static final int CELL_LENGTH = 2 * Long.BYTES;

  /** Most cells a CVT can have. */
  public static final int MAX_CELLS = 32;

  /** A CVT's length is an odd multiple of it, any other block's address an even one. */
  private static final long INLINE_BIT = 8;

  /** Of the word with the store id: all but the block class. */
  private static final long HEADER_MASK = 0xFFFF00FF_FFFFFFFFL;

  private CvtLayout() {}

  /** Length of a CVT with that many cells. */
  public static int bytes(int cells) {
    return FIRST_CELL_OFFSET + cells * CELL_LENGTH;
  }

  /**
   * Size class of the block for a CVT with that many cells and, beside it, a record of {@code
   * recordBytes}; for the CVT alone if the two are too large for one block.
   */
  public static int blockClass(int cells, int recordBytes) {
    int cvtBytes = bytes(cells);
    int both = cvtBytes + SizeClass.bytes(SizeClass.of(recordBytes));
    return SizeClass.of(both <= SizeClass.LARGEST ? both : cvtBytes);
  }

  /** Room beside a CVT with that many cells in a block of that class. */
  public static int inlineSlotBytes(int cells, int blockClass) {
    return SizeClass.bytes(blockClass) - bytes(cells);
  }

  /** Address of the inline slot, from that of the CVT. */
  public static long inlineSlot(long cvtAddress, int cells) {
    return cvtAddress + bytes(cells);
  }

  /** Whether a record's address is that of an inline slot. */
  public static boolean isInline(long recordAddress) {
    return (recordAddress & INLINE_BIT) != 0;
  }

  /** Offset of a cell from the CVT's address. */
  public static int cellOffset(int cell) {
    return FIRST_CELL_OFFSET + cell * CELL_LENGTH;
  }

  /** Writes a CVT whose cells are all free. */
  public static void writeEmpty(
      MemorySegment segment, long cvt, long lotusKey, int storeId, int cells, int blockClass) {
    assert cells > 0 && cells <= MAX_CELLS && bytes(cells) <= SizeClass.bytes(blockClass);
    segment.set(ValueLayout.JAVA_LONG, cvt + LOTUS_KEY_OFFSET, lotusKey);
    segment.set(
        ValueLayout.JAVA_LONG,
        cvt + STORE_ID_OFFSET,
        (storeId & 0xFFFFFFFFL) | ((long) cells << 32) | ((long) blockClass << 40));
    for (int offset = OVERFLOW_OFFSET; offset < bytes(cells); offset += Long.BYTES) {
      segment.set(ValueLayout.JAVA_LONG, cvt + offset, 0L);
    }
  }

  public static long lotusKey(MemorySegment segment, long cvt) {
    return segment.get(ValueLayout.JAVA_LONG, cvt + LOTUS_KEY_OFFSET);
  }

  /**
   * Whether there is a CVT of a store, with so many cells: also one that is dead, which has lost
   * its LOTUS key only.
   */
  public static boolean isOf(MemorySegment segment, long cvt, int storeId, int cells) {
    long word = segment.get(ValueLayout.JAVA_LONG, cvt + STORE_ID_OFFSET);
    return (word & HEADER_MASK) == ((storeId & 0xFFFFFFFFL) | (long) cells << 32);
  }

  public static int storeId(MemorySegment segment, long cvt) {
    return segment.get(ValueLayout.JAVA_INT, cvt + STORE_ID_OFFSET);
  }

  public static int cells(MemorySegment segment, long cvt) {
    return segment.get(ValueLayout.JAVA_BYTE, cvt + CELLS_OFFSET);
  }

  /** Size class of the block that holds the CVT and its inline slot. */
  public static int blockClass(MemorySegment segment, long cvt) {
    return segment.get(ValueLayout.JAVA_BYTE, cvt + BLOCK_CLASS_OFFSET);
  }

  public static long overflow(MemorySegment segment, long cvt) {
    return segment.get(ValueLayout.JAVA_LONG, cvt + OVERFLOW_OFFSET);
  }

  public static long word0(MemorySegment segment, long cvt, int cell) {
    return segment.get(ValueLayout.JAVA_LONG, cvt + cellOffset(cell));
  }

  public static long word1(MemorySegment segment, long cvt, int cell) {
    return segment.get(ValueLayout.JAVA_LONG, cvt + cellOffset(cell) + Long.BYTES);
  }
}
