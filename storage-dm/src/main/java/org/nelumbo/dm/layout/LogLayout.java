package org.nelumbo.dm.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.alloc.SizeClass;
import org.nelumbo.dm.fabric.Channel;

/**
 * A block of a coordinator's log: which cells its transaction writes (LOTUS section 5.1).
 *
 * <pre>
 *  0  | next block, or 0                                              |
 *  8  | transaction id (start timestamp); in the first block          |
 * 16  | entries of the transaction; in the first block, written last  |
 * 24  | 0                                                             |
 * 32  | entry 0: cell (8) | 0 (8) | CVT address (48)                  |
 * 40  |          word 0 that the cell is given                        |
 * 48  | entry 1 ...                                                   |
 * </pre>
 *
 * An entry concerns a cell only while the cell holds that word 0: an entry of an earlier
 * transaction, or of a cell that was not written yet, matches nothing.
 */
public final class LogLayout {
  public static final int NEXT_OFFSET = 0;
  public static final int TRANSACTION_OFFSET = 8;
  public static final int COUNT_OFFSET = 16;
  public static final int ENTRIES_OFFSET = 32;
  public static final int HEADER_LENGTH = ENTRIES_OFFSET;
  public static final int ENTRY_LENGTH = 16;

  /** Entries that are staged and written together. */
  public static final int PIECE_ENTRIES = 64;

  /** A multiple of {@link #PIECE_ENTRIES}, so that no piece spans two blocks. */
  public static final int ENTRIES_PER_BLOCK = 4 * PIECE_ENTRIES;

  public static final int BLOCK_LENGTH = ENTRIES_OFFSET + ENTRIES_PER_BLOCK * ENTRY_LENGTH;
  public static final int BLOCK_CLASS = SizeClass.of(BLOCK_LENGTH);

  private static final int CELL_SHIFT = 56;
  private static final long ADDRESS_MASK = (1L << 48) - 1;

  private LogLayout() {}

  public static long entryWord0(long cvt, int cell) {
    return ((long) cell << CELL_SHIFT) | cvt;
  }

  public static int cell(long entryWord0) {
    return (int) (entryWord0 >>> CELL_SHIFT);
  }

  public static long cvt(long entryWord0) {
    return entryWord0 & ADDRESS_MASK;
  }

  /** Posts the header of a new, empty block. */
  public static void postNewBlock(Channel channel, long block) {
    for (int offset = 0; offset < HEADER_LENGTH; offset += Long.BYTES) {
      channel.writeLong(block + offset, 0L);
    }
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
