package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;

/**
 * Decides which version of a row is read from one copy of its CVT (invariants 1 and 2 of {@code
 * docs/architecture.md}). The numbers of the cases are those of {@code
 * docs/internals/reading-a-version.md}.
 */
public final class VisibilityRules {
  /** No version of the row: under a lock, or for any snapshot that finds no newer one either. */
  static final int NONE = -1;

  /** Case 1: a cell is torn or INVISIBLE; wait and read the CVT again. */
  static final int UNSETTLED = -2;

  /** Case 3: only newer versions are in the cells; the overflow chain may hold the right one. */
  static final int NEWER_ONLY = -3;

  private VisibilityRules() {}

  /**
   * Whether a cell is torn or INVISIBLE: somebody is writing it; or, if nobody has the key's write
   * lock, or the asker has the key locked, it was left by a compute node that has died, and is no
   * version of the row.
   */
  public static boolean isUnsettled(long word0, long word1) {
    return CellLayout.isTorn(word0, word1)
        || CellLayout.isValid(word0) && CellLayout.isInvisible(CellLayout.version(word1));
  }

  /** The cell with the newest version, for a reader that holds the key's lock; or {@link #NONE}. */
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

  /** The cell with the newest version among those that have a record; or {@link #NONE}. */
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
   * The cell with the largest version not above {@code snapshot}, or one of the constants above.
   *
   * @param besideAbandoned whether cells that are torn or INVISIBLE belong to nobody any more; a
   *     version that one of them has replaced may be in the overflow chain
   */
  static int visible(
      MemorySegment staging, long cvt, int cells, long snapshot, boolean besideAbandoned) {
    int chosen = NONE;
    long best = -1;
    boolean newer = false;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, cvt, cell);
      long word1 = CvtLayout.word1(staging, cvt, cell);
      if (isUnsettled(word0, word1)) {
        if (!besideAbandoned) {
          return UNSETTLED;
        }
        newer = true;
        continue;
      }
      if (!CellLayout.isValid(word0)) {
        continue;
      }
      long version = CellLayout.version(word1);
      if (version > snapshot) {
        newer = true;
      } else if (version > best) {
        best = version;
        chosen = cell;
      }
    }
    return chosen >= 0 || !newer ? chosen : NEWER_ONLY;
  }

  /** Whether the cell holds the newest version of this copy. */
  static boolean isNewest(MemorySegment staging, long cvt, int cells, int cell) {
    return newest(staging, cvt, cells) == cell;
  }

  /** Whether no cell is torn or INVISIBLE, and some cell has a version: a copy worth keeping. */
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
   * The oldest valid version of this copy, under the key's lock; the largest long if there is none,
   * or if a cell was abandoned: what it has replaced may be in the overflow chain alone.
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
   * The oldest version of this copy that has a timestamp, under the key's lock; the largest long if
   * there is none.
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
   * Whether a cell has a record in a block of its own that is freed with the cell. That of one
   * which a dead compute node has left half-written may be in the overflow chain.
   */
  public static boolean ownsRecord(MemorySegment staging, long cvt, int cell) {
    long word0 = CvtLayout.word0(staging, cvt, cell);
    return CellLayout.isValid(word0)
        && CellLayout.hasOwnBlock(word0)
        && !isUnsettled(word0, CvtLayout.word1(staging, cvt, cell));
  }
}
