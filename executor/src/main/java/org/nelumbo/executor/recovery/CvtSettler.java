package org.nelumbo.executor.recovery;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.alloc.MarkBitmap;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.table.TableStore;

/**
 * Settles a CVT after the logs have been recovered. A cell that is still pending, or torn, belongs
 * to an uncommitted transaction and becomes free. The previous version in that cell was either not
 * needed any more, or is in the overflow chain. Only in a CVT of one cell can it be the only
 * version of the row; then it is restored from the chain. The chain itself is detached, because the
 * snapshots that needed it are gone.
 */
final class CvtSettler {
  private final Channel channel;
  private final MemorySegment staging;
  private final int storeId;
  private final int cells;
  private final MarkBitmap pool;
  private final RecoveryCounts counts;
  private long newestWord0;

  CvtSettler(Channel channel, TableStore table, MarkBitmap pool, RecoveryCounts counts) {
    this.channel = channel;
    this.staging = channel.staging();
    this.storeId = table.id();
    this.cells = table.versions();
    this.pool = pool;
    this.counts = counts;
  }

  /**
   * Settles a CVT, and its copy at {@code at} in the staging buffer. Posts the WRITEs.
   *
   * @return true if the row exists
   */
  boolean settle(long cvt, int at) {
    if (!CvtLayout.isOf(staging, at, storeId, cells)) {
      return false;
    }
    boolean some = false;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, at, cell);
      long word1 = CvtLayout.word1(staging, at, cell);
      boolean pending =
          CellLayout.isValid(word0) && CellLayout.isInvisible(CellLayout.version(word1));
      if (pending || CellLayout.isTorn(word0, word1)) {
        int cv = CellLayout.headCv(word0);
        write(cvt, at, cell, CellLayout.free(cv), CellLayout.word1(0, cv));
        counts.undoneCells++;
      } else {
        some |= CellLayout.isValid(word0);
      }
    }
    long overflow = CvtLayout.overflow(staging, at);
    if (overflow != PoolAddress.NULL) {
      if (!some) {
        bringBack(cvt, at, overflow);
      }
      channel.writeLong(cvt + CvtLayout.OVERFLOW_OFFSET, PoolAddress.NULL);
    }
    return exists(at);
  }

  private void write(long cvt, int at, int cell, long word0, long word1) {
    int offset = CvtLayout.cellOffset(cell);
    staging.set(ValueLayout.JAVA_LONG, at + offset, word0);
    staging.set(ValueLayout.JAVA_LONG, at + offset + Long.BYTES, word1);
    channel.writeLong(cvt + offset, word0);
    channel.writeLong(cvt + offset + Long.BYTES, word1);
  }

  /** Restores the newest version of the chain, its first, to the first cell. */
  private void bringBack(long cvt, int at, long overflow) {
    if (!pool.isReadable(overflow, OverflowLayout.LENGTH)) {
      throw new IllegalStateException(
          "an overflow chain is outside the pool address=" + PoolAddress.toString(overflow));
    }
    int mark = channel.mark();
    int offset = channel.reserve(OverflowLayout.LENGTH);
    channel.read(overflow, offset, OverflowLayout.LENGTH);
    channel.flush();
    write(cvt, at, 0, OverflowLayout.word0(staging, offset), OverflowLayout.word1(staging, offset));
    channel.release(mark);
  }

  private boolean exists(int at) {
    long best = -1;
    newestWord0 = 0;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, at, cell);
      long version = CellLayout.version(CvtLayout.word1(staging, at, cell));
      if (CellLayout.isValid(word0) && version > best) {
        best = version;
        newestWord0 = word0;
      }
    }
    counts.newestVersion = Math.max(counts.newestVersion, best);
    return best >= 0 && !CellLayout.isDeleted(newestWord0);
  }

  /** Returns word 0 of the newest version of the row that was settled last. */
  long newestWord0() {
    return newestWord0;
  }
}
