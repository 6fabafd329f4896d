package org.nelumbo.dm.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A page of a memory node whose content was lost: word i is {@link #word}. The check that finds a
 * page without the expected content fills it with these words and counts it at the beginning of the
 * node ({@link SuperblockLayout#DAMAGED_OFFSET}, {@link NodeHeaderLayout#DAMAGED_OFFSET}). A page
 * with such words counts as lost only while that count is not 0.
 */
public final class DamagedPageLayout {
  /** Size of the unit that is checked, and lost, as a whole. */
  public static final int PAGE_BYTES = 4096;

  /** Words of a page. */
  public static final int PAGE_WORDS = PAGE_BYTES / Long.BYTES;

  /** First word; it is invalid as an address, a latch, a length or a version. */
  private static final long FIRST = 0xDEAD_BAD0_9A6E_0001L;

  private DamagedPageLayout() {}

  /** Returns the word with a given number in a lost page. */
  static long word(int number) {
    return FIRST + number;
  }

  /** Fills a page with the words of a lost page. */
  public static void fill(MemorySegment memory, long offset) {
    for (int i = 0; i < PAGE_WORDS; i++) {
      memory.set(ValueLayout.JAVA_LONG, offset + (long) i * Long.BYTES, word(i));
    }
  }

  /** Returns true if all words of a page are those of a lost page. */
  public static boolean isLost(MemorySegment memory, long offset) {
    boolean isLost = true;
    for (int i = 0; i < PAGE_WORDS && isLost; i++) {
      isLost = memory.get(ValueLayout.JAVA_LONG, offset + (long) i * Long.BYTES) == word(i);
    }
    return isLost;
  }
}
