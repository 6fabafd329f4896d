package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;

/** Scans the 16 words of a window, or of an overflow block, in the staging buffer. */
final class WindowScan {
  /** The words carry different tags: a split took place during the READ or before it. */
  static final int TORN = -1;

  static final int NONE = -1;

  private WindowScan() {}

  /**
   * The lowest bit of each 16-bit lane: tags and fingerprints of four words are compared at once.
   */
  private static final long ONES = 0x0001_0001_0001_0001L;

  private static final long SIGNS = ONES << 15;
  private static final long TAGS = 0xF000_F000_F000_F000L;
  private static final long LOWEST = 0xFFFF;
  private static final int LANES = 4;
  private static final int GROUP = LANES * Long.BYTES;

  /**
   * Adds the CVT addresses of the slots that match {@code pattern} (tag and fingerprint) to {@code
   * out}. Without branches up to the matches: usually there is one, whose index is not predictable.
   *
   * @param count number of candidates so far; candidates without room in {@code out} are counted
   *     but not stored
   * @return the new count, or {@link #TORN} if a word does not carry the pattern's tag
   */
  static int candidates(MemorySegment staging, int offset, long pattern, long[] out, int count) {
    long wanted = (pattern >>> HashSlotLayout.FINGERPRINT_SHIFT) * ONES;
    long a = lanes(staging, offset) ^ wanted;
    long b = lanes(staging, offset + GROUP) ^ wanted;
    long c = lanes(staging, offset + 2 * GROUP) ^ wanted;
    long d = lanes(staging, offset + 3 * GROUP) ^ wanted;
    if (((a | b | c | d) & TAGS) != 0) {
      return TORN;
    }
    // Bit 16 * lane + group. A lane above a match may be marked as well, so each one is compared.
    long marks = zeros(a) >>> 15 | zeros(b) >>> 14 | zeros(c) >>> 13 | zeros(d) >>> 12;
    int found = count;
    for (; marks != 0; marks &= marks - 1) {
      int mark = Long.numberOfTrailingZeros(marks);
      int at = offset + (mark & 15) * GROUP + (mark >>> 4) * Long.BYTES;
      long difference = staging.get(JAVA_LONG, at) ^ pattern;
      if (difference >>> HashSlotLayout.FINGERPRINT_SHIFT == 0) {
        if (found < out.length) {
          out[found] = difference;
        }
        found++;
      }
    }
    return found;
  }

  /** Returns the upper 16 bits, tag and fingerprint, of four words. */
  private static long lanes(MemorySegment staging, int offset) {
    return staging.get(JAVA_LONG, offset) >>> 48
        | (staging.get(JAVA_LONG, offset + Long.BYTES) >>> 32 & LOWEST << 16)
        | (staging.get(JAVA_LONG, offset + 2 * Long.BYTES) >>> 16 & LOWEST << 32)
        | (staging.get(JAVA_LONG, offset + 3 * Long.BYTES) & LOWEST << 48);
  }

  /**
   * Returns the sign bits of the lanes that are 0; lanes above such a lane may be marked in error.
   */
  private static long zeros(long lanes) {
    return lanes - ONES & ~lanes & SIGNS;
  }

  /** Returns true if all words carry the tag of the given depth. */
  static boolean isWhole(MemorySegment staging, int offset, int depth) {
    long tags = 0;
    for (int i = 0; i < HashSegmentLayout.WINDOW_WORDS; i++) {
      tags |= staging.get(JAVA_LONG, offset + i * Long.BYTES) ^ HashSlotLayout.free(depth);
    }
    return tags >>> HashSlotLayout.TAG_SHIFT == 0;
  }

  /** Returns the index of the word equal to {@code word}, or {@link #NONE}. */
  static int find(MemorySegment staging, int offset, long word) {
    for (int i = 0; i < HashSegmentLayout.WINDOW_WORDS; i++) {
      if (staging.get(JAVA_LONG, offset + i * Long.BYTES) == word) {
        return i;
      }
    }
    return NONE;
  }

  /**
   * Returns the index of a free slot in the line of a window that has more of them, or {@link
   * #NONE}; for an overflow block, in its emptier half.
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
