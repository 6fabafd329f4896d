package org.nelumbo.dm.layout;

/**
 * A cell of a CVT: one version of a row, in two words.
 *
 * <pre>
 *          63      56 55        50 49        48      47                                    0
 *         +----------+------------+---------+-------+---------------------------------------+
 * word 0  | head CV  | size class | deleted | valid |            record address             |
 *         +----------+------------+---------+-------+---------------------------------------+
 * word 1  |                 version (commit timestamp), 56 bits                   | tail CV |
 *         +------------------------------------------------------------------------+--------+
 *          63                                                                   8 7        0
 * </pre>
 *
 * A write of a cell sets both CVs to one more than before; a reader that finds them different has
 * met a write half-way and reads again. Versions from {@link #FIRST_INVISIBLE} on: written, but
 * without a commit timestamp yet; what is above is the id of the transaction, so that its log can
 * be told from all others. The size class is that of the record's memory, or would be if it had a
 * block of its own, so that one READ fetches all of it. A deletion has no record, or one that holds
 * the key only.
 */
public final class CellLayout {
  /** Versions from here on have not been given their timestamp; timestamps are smaller. */
  public static final long FIRST_INVISIBLE = 1L << 55;

  /** The largest version of all, invisible. */
  public static final long INVISIBLE = (1L << 56) - 1;

  private static final int CV_SHIFT = 56;
  private static final int CLASS_SHIFT = 50;
  private static final long CLASS_MASK = 63;
  private static final long DELETED = 1L << 49;
  private static final long VALID = 1L << 48;
  private static final long ADDRESS_MASK = VALID - 1;
  private static final int VERSION_SHIFT = 8;
  private static final long CV_MASK = 0xFF;

  private CellLayout() {}

  /** Word 0 of a valid cell. */
  public static long word0(int cv, int sizeClass, boolean deleted, long address) {
    return ((long) cv << CV_SHIFT)
        | ((long) sizeClass << CLASS_SHIFT)
        | (deleted ? DELETED : 0)
        | VALID
        | address;
  }

  /** Word 0 of a free cell, which remembers its CV. */
  public static long free(int cv) {
    return (long) cv << CV_SHIFT;
  }

  public static long word1(long version, int cv) {
    return (version << VERSION_SHIFT) | cv;
  }

  /** The version of a cell that transaction {@code id} (below 2^55) has written. */
  public static long invisible(long id) {
    return FIRST_INVISIBLE | id;
  }

  public static boolean isInvisible(long version) {
    return version >= FIRST_INVISIBLE;
  }

  public static int headCv(long word0) {
    return (int) (word0 >>> CV_SHIFT);
  }

  public static int tailCv(long word1) {
    return (int) (word1 & CV_MASK);
  }

  /** The CV after {@code cv}; it wraps. */
  public static int nextCv(int cv) {
    return (cv + 1) & 0xFF;
  }

  /** Whether the words are of two different writes. */
  public static boolean isTorn(long word0, long word1) {
    return (word0 >>> CV_SHIFT) != (word1 & CV_MASK);
  }

  public static boolean isValid(long word0) {
    return (word0 & VALID) != 0;
  }

  public static boolean isDeleted(long word0) {
    return (word0 & DELETED) != 0;
  }

  /** Whether the cell points to a record; a deletion may not. */
  public static boolean hasRecord(long word0) {
    return (word0 & ADDRESS_MASK) != 0;
  }

  /**
   * Whether the cell points to a record in a block of its own, and not inline in the block of its
   * CVT.
   */
  public static boolean hasOwnBlock(long word0) {
    return hasRecord(word0) && !CvtLayout.isInline(address(word0));
  }

  public static int sizeClass(long word0) {
    return (int) ((word0 >>> CLASS_SHIFT) & CLASS_MASK);
  }

  public static long address(long word0) {
    return word0 & ADDRESS_MASK;
  }

  public static long version(long word1) {
    return word1 >>> VERSION_SHIFT;
  }
}
