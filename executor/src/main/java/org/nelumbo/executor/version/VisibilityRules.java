package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.executor.timestamp.Snapshot;

/**
 * Decides which version of a row is read from one copy of its CVT (invariants 1 and 2 of {@code
 * docs/architecture.md}). The case numbers refer to {@code docs/internals/reading-a-version.md}.
 */
public final class VisibilityRules {
  /** The row has no version: under a lock, or for a snapshot that finds no newer version either. */
  static final int NONE = -1;

  /** Case 1: a cell is torn or INVISIBLE; wait and read the CVT again. */
  static final int UNSETTLED = -2;

  /** Case 3: the cells hold only newer versions; the overflow chain may hold the right one. */
  static final int NEWER_ONLY = -3;

  private VisibilityRules() {}

  /**
   * Returns true if a cell is torn or INVISIBLE. Such a cell is being written. If no transaction
   * has the key's write lock, or the caller holds the key's lock, the cell was left by a failed
   * compute node and is not a version of the row.
   */
  public static boolean isUnsettled(long word0, long word1) {
    return CellLayout.isTorn(word0, word1)
        || CellLayout.isValid(word0) && CellLayout.isInvisible(CellLayout.version(word1));
  }

  /**
   * Returns the cell with the newest version, for a reader that holds the key's lock; or {@link
   * #NONE}.
   */
  public static int newest(MemorySegment staging, long cvt, int cells) {
    int chosen = NONE;
    long best = -1;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, cvt, cell);
      long word1 = CvtLayout.word1(staging, cvt, cell);
      long version = CellLayout.version(word1);
      if (version > best && CellLayout.isValid(word0) && !isUnsettled(word0, word1)) {
        best = version;
        chosen = cell;
      }
    }
    return chosen;
  }

  /**
   * Returns the cell with the newest version among the cells that have a record; or {@link #NONE}.
   */
  public static int newestWithRecord(MemorySegment staging, long cvt, int cells) {
    int chosen = NONE;
    long best = -1;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, cvt, cell);
      long word1 = CvtLayout.word1(staging, cvt, cell);
      long version = CellLayout.version(word1);
      if (version > best
          && CellLayout.isValid(word0)
          && CellLayout.hasRecord(word0)
          && !isUnsettled(word0, word1)) {
        best = version;
        chosen = cell;
      }
    }
    return chosen;
  }

  /**
   * Returns the cell with the largest version that the snapshot contains, or one of the constants
   * above.
   *
   * @param besideAbandoned true if torn or INVISIBLE cells are abandoned; a version that such a
   *     cell has replaced may be in the overflow chain
   */
  static int visible(
      MemorySegment staging, long cvt, int cells, Snapshot snapshot, boolean besideAbandoned) {
    int chosen = NONE;
    long best = -1;
    boolean newer = false;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, cvt, cell);
      long word1 = CvtLayout.word1(staging, cvt, cell);
      if (isUnsettled(word0, word1)) {
        if (!besideAbandoned && snapshot.awaitsTimestamps()) {
          return UNSETTLED;
        }
        newer = true;
        continue;
      }
      if (!CellLayout.isValid(word0)) {
        continue;
      }
      long version = CellLayout.version(word1);
      if (!snapshot.sees(version)) {
        newer = true;
      } else if (version > best) {
        best = version;
        chosen = cell;
      }
    }
    return chosen >= 0 || !newer ? chosen : NEWER_ONLY;
  }

  /** Returns true if the cell holds the newest version of this copy. */
  static boolean isNewest(MemorySegment staging, long cvt, int cells, int cell) {
    return newest(staging, cvt, cells) == cell;
  }

  /**
   * Returns true if no cell is torn or INVISIBLE and at least one has a version: the copy is worth
   * keeping.
   */
  public static boolean isSettled(MemorySegment staging, long cvt, int cells) {
    boolean some = false;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, cvt, cell);
      if (isUnsettled(word0, CvtLayout.word1(staging, cvt, cell))) {
        return false;
      }
      some |= CellLayout.isValid(word0);
    }
    return some;
  }

  /**
   * Returns the oldest valid version of this copy, under the key's lock. Returns {@code
   * Long.MAX_VALUE} if there is none or a cell is abandoned: the version that it replaced may be in
   * the overflow chain only.
   */
  public static long oldestVersion(MemorySegment staging, long cvt, int cells) {
    long oldest = Long.MAX_VALUE;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, cvt, cell);
      long word1 = CvtLayout.word1(staging, cvt, cell);
      if (isUnsettled(word0, word1)) {
        return Long.MAX_VALUE;
      }
      if (CellLayout.isValid(word0)) {
        oldest = Math.min(oldest, CellLayout.version(word1));
      }
    }
    return oldest;
  }

  /**
   * Returns the oldest version of this copy that has a timestamp, under the key's lock; {@code
   * Long.MAX_VALUE} if there is none.
   */
  public static long oldestSettled(MemorySegment staging, long cvt, int cells) {
    long oldest = Long.MAX_VALUE;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, cvt, cell);
      long word1 = CvtLayout.word1(staging, cvt, cell);
      if (CellLayout.isValid(word0) && !isUnsettled(word0, word1)) {
        oldest = Math.min(oldest, CellLayout.version(word1));
      }
    }
    return oldest;
  }

  /**
   * Returns true if a cell has a record in a block of its own that is freed with the cell. The
   * record of a cell that a failed compute node has left half-written does not count: it may be in
   * the overflow chain.
   */
  public static boolean ownsRecord(MemorySegment staging, long cvt, int cell) {
    long word0 = CvtLayout.word0(staging, cvt, cell);
    return CellLayout.isValid(word0)
        && CellLayout.hasOwnBlock(word0)
        && !isUnsettled(word0, CvtLayout.word1(staging, cvt, cell));
  }
}
