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
 * Reads the inline slots of CVTs, which may contain their newest records ({@link CvtLayout}), in
 * the flush that reads the CVTs. A record found in the inline slot then costs no round trip of its
 * own. Used only on a remote fabric.
 *
 * <p>One READ fetches a CVT and its inline slot, although the bytes of a READ have no order, in two
 * cases. If the row is locked, nothing changes either of them. If the reader has a snapshot, it
 * uses only versions in the snapshot: their records were in the pool before the snapshot was taken,
 * and are not overwritten as long as it is in use. Otherwise the READ of the slot is posted after
 * the READ of the CVT ({@link #post}). Both go to one node, where verbs take effect in posted
 * order. So the record is read after the cell that points to it, as with a separate flush.
 *
 * <p>The result is valid for that copy of the CVT only, and until the staging buffer is released.
 * Not thread-safe.
 */
public final class InlineRecordReads {
  /** Returned instead of an offset if the record has to be read separately. */
  public static final int NOWHERE = -1;

  /** Staging bytes that inline slots leave free for reads that are required. */
  private static final int STAGING_RESERVE = 512 << 10;

  private final Channel channel;
  private final PoolMemory memory;
  private final boolean enabled;

  /** Addresses of the slots that were read, NULL for the others. */
  private final long[] slots;

  private final int[] bytes;
  private final int[] stagingOffsets;

  public InlineRecordReads(CoordinatorContext context, int capacity) {
    this.channel = context.channel();
    this.memory = context.memory();
    this.enabled = context.caches().isRemote();
    int slotCount = enabled ? capacity : 0;
    this.slots = new long[slotCount];
    this.bytes = new int[slotCount];
    this.stagingOffsets = new int[slotCount];
  }

  /** Marks that no inline slot is read for CVT {@code i}. */
  void skip(int i) {
    if (enabled) {
      slots[i] = PoolAddress.NULL;
    }
  }

  /** Posts the READ of an inline slot, directly after the READ of its CVT. */
  public void post(int i, TableStore table, long cvt) {
    int length = length(table, cvt);
    set(i, table, cvt, length, length > 0 ? channel.reserve(length) : 0);
    if (length > 0) {
      channel.read(slots[i], stagingOffsets[i], length);
    }
  }

  /**
   * Returns the number of bytes to be read for an inline slot; 0 if it is not to be read. This is
   * the length of the table's longest inline slot, so a shorter slot is read beyond its end. The
   * READ never goes beyond the memory that has been handed out: the node may have no memory there,
   * and no room for any.
   */
  int length(TableStore table, long cvt) {
    if (!enabled) {
      return 0;
    }
    long slot = CvtLayout.inlineSlot(cvt, table.versions());
    long end = memory.handedOutEnd(PoolAddress.node(cvt));
    long left = Math.max(0, end - PoolAddress.offset(slot));
    int length = (int) Math.min(table.inlineSlotBytes(), left);
    return channel.stagingAvailable() >= STAGING_RESERVE + length ? length : 0;
  }

  /**
   * Records that the first bytes of an inline slot are read into the staging buffer.
   *
   * @param length their number; 0 if the slot is not read
   */
  void set(int i, TableStore table, long cvt, int length, int stagingOffset) {
    if (enabled) {
      slots[i] = length > 0 ? CvtLayout.inlineSlot(cvt, table.versions()) : PoolAddress.NULL;
      bytes[i] = length;
      stagingOffsets[i] = stagingOffset;
    }
  }

  /**
   * Returns the offset in the staging buffer of the record that a cell of CVT {@code i} points to,
   * or {@link #NOWHERE}.
   */
  public int stagingOffset(int i, long word0) {
    boolean read =
        enabled
            && slots[i] != PoolAddress.NULL
            && CellLayout.address(word0) == slots[i]
            && SizeClass.bytes(CellLayout.sizeClass(word0)) <= bytes[i];
    return read ? stagingOffsets[i] : NOWHERE;
  }
}
