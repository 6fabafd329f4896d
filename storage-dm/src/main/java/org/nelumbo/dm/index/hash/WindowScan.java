package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;

/** Looks through the 16 words of a window, or of an overflow block, in the staging buffer. */
final class WindowScan {
  /** The words carry different tags: a split went on during the READ, or happened before it. */
  static final int TORN = -1;

  static final int NONE = -1;

  private WindowScan() {}

  /**
   * Adds the CVT addresses of the slots that match {@code pattern} (tag and fingerprint) to {@code
   * out}.
   *
   * @param count how many are there already; what has no room in {@code out} is counted but not
   *     stored
   * @return the new count, or {@link #TORN} if a word does not carry the pattern's tag
   */
  static int candidates(MemorySegment staging, int offset, long pattern, long[] out, int count) {
    long tags = 0;
    int found = count;
    for (int i = 0; i < HashSegmentLayout.WINDOW_WORDS; i++) {
      long difference = staging.get(JAVA_LONG, offset + i * Long.BYTES) ^ pattern;
      tags |= difference;
      if (difference >>> HashSlotLayout.FINGERPRINT_SHIFT == 0) {
        if (found < out.length) {
          out[found] = difference;
        }
        found++;
      }
    }
    return tags >>> HashSlotLayout.TAG_SHIFT == 0 ? found : TORN;
  }

  /** Whether all words carry the tag of that depth. */
  static boolean isWhole(MemorySegment staging, int offset, int depth) {
    long tags = 0;
    for (int i = 0; i < HashSegmentLayout.WINDOW_WORDS; i++) {
      tags |= staging.get(JAVA_LONG, offset + i * Long.BYTES) ^ HashSlotLayout.free(depth);
    }
    return tags >>> HashSlotLayout.TAG_SHIFT == 0;
  }

  /** Index of the word equal to {@code word}, or {@link #NONE}. */
  static int find(MemorySegment staging, int offset, long word) {
    for (int i = 0; i < HashSegmentLayout.WINDOW_WORDS; i++) {
      if (staging.get(JAVA_LONG, offset + i * Long.BYTES) == word) {
        return i;
      }
    }
    return NONE;
  }

  /**
   * Index of a free slot in the line of a window that has more of them, or {@link #NONE}; of an
   * overflow block, in its emptier half.
   */
  static int findFree(MemorySegment staging, int offset) {
    int first = NONE;
    int second = NONE;
    int balance = 0;
    for (int i = HashSegmentLayout.WINDOW_WORDS - 1; i >= 0; i--) {
      if (HashSlotLayout.isFree(staging.get(JAVA_LONG, offset + i * Long.BYTES))) {
        if (i < HashSegmentLayout.LINE_WORDS) {
          first = i;
          balance++;
        } else {
          second = i;
          balance--;
        }
      }
    }
    return balance >= 0 ? first : second;
  }
}
