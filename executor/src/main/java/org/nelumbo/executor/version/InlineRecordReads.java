package org.nelumbo.executor.version;

import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.PoolMemory;
import org.nelumbo.executor.table.TableStore;

/**
 * Reads of the inline slots of CVTs, where their newest records may lie ({@link CvtLayout}): in the
 * flush that reads the CVTs, so that a record found in the inline slot costs no round trip of its
 * own. Only where round trips are expensive.
 *
 * <p>The READ of an inline slot is posted after that of its CVT. Both go to one node, where verbs
 * take effect in posted order, so the record is read after the cell that points to it, as it is by
 * a flush of its own, and means as much. What was read holds for that copy of the CVT only, and
 * until the staging buffer is released. Not thread-safe.
 */
public final class InlineRecordReads {
  /** Instead of a place: the record has to be read. */
  public static final int NOWHERE = -1;

  /** Staging bytes that are left to what has to be read. */
  private static final int STAGING_RESERVE = 512 << 10;

  private final Channel channel;
  private final PoolMemory memory;
  private final boolean enabled;

  /** Addresses that were read, NULL for those that were not; how many bytes, and to where. */
  private final long[] slots;

  private final int[] bytes;
  private final int[] places;

  public InlineRecordReads(CoordinatorContext context, int capacity) {
    this.channel = context.channel();
    this.memory = context.memory();
    this.enabled = context.caches().isRemote();
    int slotCount = enabled ? capacity : 0;
    this.slots = new long[slotCount];
    this.bytes = new int[slotCount];
    this.places = new int[slotCount];
  }

  /** No inline slot is read for CVT {@code i}. */
  void skip(int i) {
    if (enabled) {
      slots[i] = PoolAddress.NULL;
    }
  }

  /**
   * Posts the READ of an inline slot; that of the CVT has just been posted. Of an inline slot that
   * is shorter than the table's longest, more than it has is read, but never what has not been
   * handed out: there may be no memory behind it, and no room for any.
   */
  public void post(int i, TableStore table, long cvt) {
    if (!enabled) {
      return;
    }
    long annex = CvtLayout.inlineSlot(cvt, table.versions());
    long end = memory.handedOutEnd(PoolAddress.node(cvt));
    long left = Math.max(0, end - PoolAddress.offset(annex));
    int length = (int) Math.min(table.inlineSlotBytes(), left);
    boolean fits = length > 0 && channel.stagingAvailable() >= STAGING_RESERVE + length;
    slots[i] = fits ? annex : PoolAddress.NULL;
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
  public int place(int i, long word0) {
    boolean read =
        enabled
            && slots[i] != PoolAddress.NULL
            && CellLayout.address(word0) == slots[i]
            && SizeClass.bytes(CellLayout.sizeClass(word0)) <= bytes[i];
    return read ? places[i] : NOWHERE;
  }
}
