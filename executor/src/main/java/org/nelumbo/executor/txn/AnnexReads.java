package org.nelumbo.executor.txn;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.executor.table.TableStore;

/**
 * Reads of the annexes of CVTs, where their newest records may lie ({@link CvtLayout}): in the
 * flush that reads the CVTs, so that a record found in the annex costs no round trip of its own.
 * Only where round trips are dear.
 *
 * <p>The READ of an annex is posted after that of its CVT. Both go to one node, where verbs take
 * effect in posted order, so the record is read after the cell that points to it, as it is by a
 * flush of its own, and means as much. What was read holds for that copy of the CVT only, and until
 * the staging buffer is released. Not thread-safe.
 */
final class AnnexReads {
  /** Instead of a place: the record has to be read. */
  static final int NOWHERE = -1;

  /** Staging bytes that are left to what has to be read. */
  private static final int STAGING_RESERVE = 512 << 10;

  private final Channel channel;
  private final Engine engine;

  /** Addresses that were read, NULL for those that were not; how many bytes, and to where. */
  private final long[] annexes;

  private final int[] bytes;
  private final int[] places;

  AnnexReads(Coordinator coordinator, int capacity) {
    this.channel = coordinator.channel();
    this.engine = coordinator.engine();
    this.annexes = new long[capacity];
    this.bytes = new int[capacity];
    this.places = new int[capacity];
  }

  /** No annex is read for CVT {@code i}. */
  void skip(int i) {
    annexes[i] = PoolAddress.NULL;
  }

  /**
   * Posts the READ of an annex; that of the CVT has just been posted. Of an annex that is shorter
   * than the table's longest, more than it has is read, but never what has not been handed out:
   * there may be no memory behind it, and no room for any.
   */
  void postAnnex(int i, TableStore table, long cvt) {
    long annex = CvtLayout.annex(cvt, table.versions());
    long end = SuperblockLayout.LENGTH + engine.takenBytes(PoolAddress.node(cvt));
    long left = Math.max(0, end - PoolAddress.offset(annex));
    int length = (int) Math.min(table.annexBytes(), left);
    boolean fits = length > 0 && channel.stagingAvailable() >= STAGING_RESERVE + length;
    annexes[i] = fits ? annex : PoolAddress.NULL;
    if (fits) {
      bytes[i] = length;
      places[i] = channel.reserve(length);
      channel.read(annex, places[i], length);
    }
  }

  /**
   * Where in the staging buffer the record is that a cell of CVT {@code i} points to; or {@link
   * #NOWHERE}.
   */
  int place(int i, long word0) {
    boolean read =
        annexes[i] != PoolAddress.NULL
            && CellLayout.address(word0) == annexes[i]
            && SizeClass.bytes(CellLayout.sizeClass(word0)) <= bytes[i];
    return read ? places[i] : NOWHERE;
  }
}
