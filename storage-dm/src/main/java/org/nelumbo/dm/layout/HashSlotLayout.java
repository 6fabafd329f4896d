package org.nelumbo.dm.layout;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * The words of a hash segment's lines: slots and line headers, of one shape.
 *
 * <pre>
 *  63    60 59          48 47                                   0
 * +--------+--------------+--------------------------------------+
 * |  tag   | fingerprint  |  CVT address                         |  a slot in use
 * |  tag   |      0       |  0                                   |  a free slot
 * |  tag   |  depth + 1   |  overflow block, 0 if none           |  a line header
 * +--------+--------------+--------------------------------------+
 * </pre>
 *
 * The tag is the segment's local depth modulo 16. A split gives every word of the segment a new
 * tag, which has two effects:
 *
 * <ul>
 *   <li>A READ that was torn by a split is detected, because its words carry different tags. (To
 *       escape detection, one copy would have to last while the table grows 65536-fold.)
 *   <li>A CAS that was prepared before a split fails after it, because even the free slots have
 *       changed.
 * </ul>
 *
 * Keys have no fingerprint below {@link #FIRST_FINGERPRINT}, so that neither a free slot nor a
 * header is ever taken for an entry.
 */
public final class HashSlotLayout {
  public static final int TAG_SHIFT = 60;
  public static final int FINGERPRINT_SHIFT = PoolAddress.BITS;
  public static final int FINGERPRINT_MASK = 0xFFF;
  public static final int FIRST_FINGERPRINT = 64;
  private static final long UNTAGGED = (1L << TAG_SHIFT) - 1;

  private HashSlotLayout() {}

  /** Returns a free slot of a segment of the given depth. */
  public static long free(int depth) {
    return (long) depth << TAG_SHIFT;
  }

  /** Returns a slot in use without its address, which the caller adds by OR. */
  public static long pattern(int depth, int fingerprint) {
    return ((long) depth << TAG_SHIFT) | ((long) fingerprint << FINGERPRINT_SHIFT);
  }

  /** Returns a line header, or the header of an overflow block. */
  public static long header(int depth, long overflow) {
    return ((long) depth << TAG_SHIFT) | ((long) (depth + 1) << FINGERPRINT_SHIFT) | overflow;
  }

  /** Returns a slot with the tag of a segment of another depth. */
  public static long retag(long slot, int depth) {
    return (slot & UNTAGGED) | ((long) depth << TAG_SHIFT);
  }

  public static boolean isFree(long slot) {
    return (slot & UNTAGGED) == 0;
  }

  /** Returns true if a word has the tag of a segment of the given depth. */
  static boolean hasTag(long word, int depth) {
    return (word ^ free(depth)) >>> TAG_SHIFT == 0;
  }

  public static int fingerprint(long slot) {
    return (int) (slot >>> FINGERPRINT_SHIFT) & FINGERPRINT_MASK;
  }

  public static int headerDepth(long header) {
    return ((int) (header >>> FINGERPRINT_SHIFT) & FINGERPRINT_MASK) - 1;
  }

  /** Returns the CVT of a slot, or the overflow block of a header. */
  public static long address(long word) {
    return word & PoolAddress.MASK;
  }
}
