package org.nelumbo.dm.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A block of a coordinator's log: the cells that its transaction writes (LOTUS section 5.1).
 *
 * <pre>
 *  0  | next block, or 0                                              |
 *  8  | transaction id; in the first block, as the next two           |
 * 16  | entries of the transaction                                    |
 * 24  | checksum of id and entries; the three are written with the    |
 *     | last entries, or after them                                   |
 * 32  | entry 0: cell (8) | 0 (8) | CVT address (48)                  |
 * 40  |          word 0 that the cell is given                        |
 * 48  | entry 1 ...                                                   |
 * </pre>
 *
 * The directory of a compute node's logs is a chain of blocks of the same size, see {@link
 * #DIRECTORY_LENGTH}.
 *
 * <p>A log with a wrong checksum was being written when its coordinator stopped: the cells were not
 * all written, and none was made visible. An entry applies to a cell only while the cell holds that
 * word 0. A cell that was not written yet, or that another transaction has written since, does not
 * match.
 */
public final class LogLayout {
  public static final int NEXT_OFFSET = 0;
  public static final int TRANSACTION_OFFSET = NEXT_OFFSET + Long.BYTES;
  public static final int COUNT_OFFSET = TRANSACTION_OFFSET + Long.BYTES;
  public static final int CHECKSUM_OFFSET = COUNT_OFFSET + Long.BYTES;
  public static final int ENTRIES_OFFSET = CHECKSUM_OFFSET + Long.BYTES;
  public static final int HEADER_LENGTH = ENTRIES_OFFSET;
  public static final int ENTRY_LENGTH = 2 * Long.BYTES;

  /** Number of entries that are staged and written together. */
  public static final int PIECE_ENTRIES = 64;

  /**
   * Number of entries of a block, a multiple of {@link #PIECE_ENTRIES}, so that no piece spans two
   * blocks.
   */
  public static final int ENTRIES_PER_BLOCK = 4 * PIECE_ENTRIES;

  public static final int BLOCK_LENGTH = ENTRIES_OFFSET + ENTRIES_PER_BLOCK * ENTRY_LENGTH;
  public static final int BLOCK_CLASS = SizeClass.of(BLOCK_LENGTH);

  /** Offset in a directory block: the next one, or 0. */
  public static final int DIRECTORY_NEXT_OFFSET = 0;

  /** Offset in a directory block: the first blocks of logs, each 0 if there is none. */
  public static final int DIRECTORY_LOGS_OFFSET = DIRECTORY_NEXT_OFFSET + Long.BYTES;

  /** Number of logs in a directory block; they fit into the length of a log block. */
  public static final int DIRECTORY_LOGS = 512;

  public static final int DIRECTORY_LENGTH = DIRECTORY_LOGS_OFFSET + DIRECTORY_LOGS * Long.BYTES;

  private static final long CHECKSUM_FACTOR = 0x9E3779B97F4A7C15L;
  private static final int CELL_SHIFT = 56;
  private static final long ADDRESS_MASK = (1L << 48) - 1;

  private LogLayout() {}

  public static long entryWord0(long cvt, int cell) {
    assert (cvt & ~ADDRESS_MASK) == 0;
    return ((long) cell << CELL_SHIFT) | cvt;
  }

  public static int cell(long entryWord0) {
    return (int) (entryWord0 >>> CELL_SHIFT);
  }

  public static long cvt(long entryWord0) {
    return entryWord0 & ADDRESS_MASK;
  }

  /** Adds a word to the checksum: first the id, then both words of each entry in order. */
  public static long addToChecksum(long checksum, long word) {
    return (Long.rotateLeft(checksum, 29) ^ word) * CHECKSUM_FACTOR;
  }

  public static long checksum(MemorySegment segment, long block) {
    return segment.get(ValueLayout.JAVA_LONG, block + CHECKSUM_OFFSET);
  }

  public static long transaction(MemorySegment segment, long block) {
    return segment.get(ValueLayout.JAVA_LONG, block + TRANSACTION_OFFSET);
  }

  public static long count(MemorySegment segment, long block) {
    return segment.get(ValueLayout.JAVA_LONG, block + COUNT_OFFSET);
  }

  public static long next(MemorySegment segment, long block) {
    return segment.get(ValueLayout.JAVA_LONG, block + NEXT_OFFSET);
  }
}
