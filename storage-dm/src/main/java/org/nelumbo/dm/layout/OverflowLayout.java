package org.nelumbo.dm.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An overflow block: a cell that was moved out of its CVT while a snapshot needed it. The chain of
 * a CVT runs from newer to older versions.
 *
 * <pre>
 *  0  | next older block, or 0 |
 *  8  | cell word 0            |
 * 16  | cell word 1            |
 * 24  | 0                      |
 * </pre>
 */
public final class OverflowLayout {
  public static final int NEXT_OFFSET = 0;
  public static final int WORD0_OFFSET = NEXT_OFFSET + Long.BYTES;
  public static final int WORD1_OFFSET = WORD0_OFFSET + Long.BYTES;

  /** Length of a block, including a last word that is 0. */
  public static final int LENGTH = WORD1_OFFSET + 2 * Long.BYTES;

  public static final int SIZE_CLASS = SizeClass.of(LENGTH);

  private OverflowLayout() {}

  public static void write(MemorySegment segment, long block, long next, long word0, long word1) {
    segment.set(ValueLayout.JAVA_LONG, block + NEXT_OFFSET, next);
    segment.set(ValueLayout.JAVA_LONG, block + WORD0_OFFSET, word0);
    segment.set(ValueLayout.JAVA_LONG, block + WORD1_OFFSET, word1);
    segment.set(ValueLayout.JAVA_LONG, block + WORD1_OFFSET + Long.BYTES, 0L);
  }

  public static long next(MemorySegment segment, long block) {
    return segment.get(ValueLayout.JAVA_LONG, block + NEXT_OFFSET);
  }

  public static long word0(MemorySegment segment, long block) {
    return segment.get(ValueLayout.JAVA_LONG, block + WORD0_OFFSET);
  }

  public static long word1(MemorySegment segment, long block) {
    return segment.get(ValueLayout.JAVA_LONG, block + WORD1_OFFSET);
  }
}
