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
 * A write of a cell sets both CVs (cache line versions) to the old value plus one. A reader that
 * finds two different CVs has met a write in progress and reads again.
 *
 * <p>A version from {@link #FIRST_INVISIBLE} on belongs to a cell that is written but has no commit
 * timestamp yet. Its low bits are the transaction id, which identifies the log of the transaction.
 *
 * <p>The size class is that of the record's memory, so that one READ fetches all of it; for an
 * inline record it is the class that the record would have in its own block. A deletion has no
 * record, or one that holds the key only.
 */
public final class CellLayout {
  /** The first invisible version: such a cell has no timestamp yet; timestamps are smaller. */
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

  /** Returns word 0 of a valid cell. */
  public static long word0(int cv, int sizeClass, boolean deleted, long address) {
    return ((long) cv << CV_SHIFT)
        | ((long) sizeClass << CLASS_SHIFT)
        | (deleted ? DELETED : 0)
        | VALID
        | address;
  }

  /** Returns word 0 of a free cell, which keeps its CV. */
  public static long free(int cv) {
    return (long) cv << CV_SHIFT;
  }

  public static long word1(long version, int cv) {
    return (version << VERSION_SHIFT) | cv;
  }

  /** Returns the version of a cell written by transaction {@code id} (below 2^55). */
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

  /** Returns the CV that follows {@code cv}; it wraps. */
  public static int nextCv(int cv) {
    return (cv + 1) & 0xFF;
  }

  /** Returns true if the two words are from different writes. */
  public static boolean isTorn(long word0, long word1) {
    return (word0 >>> CV_SHIFT) != (word1 & CV_MASK);
  }

  public static boolean isValid(long word0) {
    return (word0 & VALID) != 0;
  }

  public static boolean isDeleted(long word0) {
    return (word0 & DELETED) != 0;
  }

  /** Returns true if the cell points to a record; a deletion may have none. */
  public static boolean hasRecord(long word0) {
    return (word0 & ADDRESS_MASK) != 0;
  }

  /**
   * Returns true if the cell points to a record in a block of its own, not inline in the block of
   * its CVT.
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
