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
 * With two cells it is 56 bytes long. A CVT never moves. Its header never changes, except for the
 * overflow pointer, which is written before the cell whose version moves to the overflow block. In
 * the accessors {@code cvt} is an offset in the segment.
 *
 * <p>The memory block of the CVT, whose size class is in the header, continues with the <i>inline
 * slot</i>: room for one record, usually the row's first one. A later record takes the slot once no
 * transaction needs the version that lies there. So one round trip usually reads a CVT with its
 * newest record, and adjacent cache lines hold both. The address distinguishes an inline record
 * from all others: blocks of memory begin at a multiple of 16, inline slots at such a multiple plus
 * 8. An inline record has no memory of its own and is never freed; its block is freed with the CVT.
 */
public final class CvtLayout {
  public static final int LOTUS_KEY_OFFSET = 0;
  public static final int STORE_ID_OFFSET = LOTUS_KEY_OFFSET + Long.BYTES;
  public static final int CELLS_OFFSET = STORE_ID_OFFSET + Integer.BYTES;
  public static final int BLOCK_CLASS_OFFSET = CELLS_OFFSET + Byte.BYTES;

  /** Offset of the word after the one with store id, cells and block class. */
  public static final int OVERFLOW_OFFSET = STORE_ID_OFFSET + Long.BYTES;

  public static final int FIRST_CELL_OFFSET = OVERFLOW_OFFSET + Long.BYTES;
  public static final int CELL_LENGTH = 2 * Long.BYTES;

  /** Maximum number of cells of a CVT. */
  public static final int MAX_CELLS = 32;

  /**
   * Bit that only inline addresses have: a CVT's length is an odd multiple of it, the address of
   * any block an even one.
   */
  private static final long INLINE_BIT = 8;

  /** Mask for the word with the store id: all except the block class. */
  private static final long HEADER_MASK = 0xFFFF00FF_FFFFFFFFL;

  private CvtLayout() {}

  /** Returns the length of a CVT with the given number of cells. */
  public static int bytes(int cells) {
    return FIRST_CELL_OFFSET + cells * CELL_LENGTH;
  }

  /**
   * Returns the size class of the block for a CVT with the given number of cells and an inline
   * record of {@code recordBytes}; for the CVT alone if both together are too large for one block.
   */
  public static int blockClass(int cells, int recordBytes) {
    int cvtBytes = bytes(cells);
    int both = cvtBytes + SizeClass.bytes(SizeClass.of(recordBytes));
    return SizeClass.of(both <= SizeClass.LARGEST ? both : cvtBytes);
  }

  /**
   * Returns the length of the inline slot of a CVT with the given number of cells in a block of the
   * given class.
   */
  public static int inlineSlotBytes(int cells, int blockClass) {
    return SizeClass.bytes(blockClass) - bytes(cells);
  }

  /** Returns the address of the inline slot of a CVT. */
  public static long inlineSlot(long cvtAddress, int cells) {
    return cvtAddress + bytes(cells);
  }

  /** Returns true if a record's address is that of an inline slot. */
  public static boolean isInline(long recordAddress) {
    return (recordAddress & INLINE_BIT) != 0;
  }

  /** Returns the offset of a cell from the CVT's address. */
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
   * Returns true if the memory holds a CVT of a store with the given number of cells. A dead CVT
   * also matches, since it has lost its LOTUS key only.
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

  /** Returns the size class of the block that holds the CVT and its inline slot. */
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
