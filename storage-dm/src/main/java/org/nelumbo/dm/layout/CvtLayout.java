package org.nelumbo.dm.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A consecutive version table (LOTUS section 4.4): the versions of one row.
 *
 * <pre>
 *     0                       4          5              8
 *     +-----------------------------------------------------+
 *  0  |                     LOTUS key                       |
 *     +-----------------------+----------+------------------+
 *  8  |       table id        |  cells   |        0         |
 *     +-----------------------+----------+------------------+
 * 16  |        overflow: newest overflow block, or 0        |
 *     +-----------------------------------------------------+
 * 24  |            cell 0 (see CellLayout): word 0          |
 * 32  |                                   word 1            |
 *     +-----------------------------------------------------+
 * 40  |            cell 1 ...                               |
 * </pre>
 *
 * With two cells it is 56 bytes long and lies in one cache line. It never moves and its header
 * never changes but for the overflow pointer, which is written before the cell whose version it
 * takes over. In the accessors {@code cvt} is an offset in the segment.
 */
public final class CvtLayout {
  public static final int LOTUS_KEY_OFFSET = 0;
  public static final int TABLE_ID_OFFSET = 8;
  public static final int CELLS_OFFSET = 12;
  public static final int OVERFLOW_OFFSET = 16;
  public static final int FIRST_CELL_OFFSET = 24;
  public static final int CELL_LENGTH = 16;

  /** Most cells a CVT can have. */
  public static final int MAX_CELLS = 32;

  private CvtLayout() {}

  /** Length of a CVT with that many cells. */
  public static int bytes(int cells) {
    return FIRST_CELL_OFFSET + cells * CELL_LENGTH;
  }

  /** Where a cell begins, from the CVT's address. */
  public static int cellOffset(int cell) {
    return FIRST_CELL_OFFSET + cell * CELL_LENGTH;
  }

  /** Writes a CVT whose cells are all free. */
  public static void writeEmpty(
      MemorySegment segment, long cvt, long lotusKey, int tableId, int cells) {
    segment.set(ValueLayout.JAVA_LONG, cvt + LOTUS_KEY_OFFSET, lotusKey);
    segment.set(
        ValueLayout.JAVA_LONG,
        cvt + TABLE_ID_OFFSET,
        (tableId & 0xFFFFFFFFL) | ((long) cells << 32));
    for (int offset = OVERFLOW_OFFSET; offset < bytes(cells); offset += Long.BYTES) {
      segment.set(ValueLayout.JAVA_LONG, cvt + offset, 0L);
    }
  }

  public static long lotusKey(MemorySegment segment, long cvt) {
    return segment.get(ValueLayout.JAVA_LONG, cvt + LOTUS_KEY_OFFSET);
  }

  public static int tableId(MemorySegment segment, long cvt) {
    return segment.get(ValueLayout.JAVA_INT, cvt + TABLE_ID_OFFSET);
  }

  public static int cells(MemorySegment segment, long cvt) {
    return segment.get(ValueLayout.JAVA_BYTE, cvt + CELLS_OFFSET);
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
