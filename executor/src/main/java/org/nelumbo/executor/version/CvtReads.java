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
 * Reads CVTs. On a remote fabric it reads their inline slots with them, which may contain their
 * newest records ({@link CvtLayout}), so that such a record costs no round trip of its own. Rows at
 * ascending addresses, whose blocks are often adjacent, are read by one READ.
 *
 * <p>The bytes of a READ have no order, so a slot may be read before the cell that points to it.
 * The record in it is valid all the same if one of these holds:
 *
 * <ul>
 *   <li>The row is locked, so that nothing changes either of them.
 *   <li>The version is in a snapshot that was taken before the READ: its record was in the pool
 *       before that, and is not overwritten as long as the snapshot is in use.
 *   <li>The row is found unwritten afterwards ({@link CvtLoader#keep}).
 * </ul>
 *
 * <p>Otherwise ({@link #postGuarded}) the READ of the slot is posted after the READ of the CVT.
 * Both go to one node, where verbs take effect in posted order.
 *
 * <p>A record is valid for that copy of the CVT only, and until the staging buffer is released. Not
 * thread-safe.
 */
public final class CvtReads {
  /** Returned instead of an offset if the record has to be read separately. */
  public static final int NOWHERE = -1;

  /** Staging bytes that inline slots leave free for reads that are required. */
  private static final int STAGING_RESERVE = 512 << 10;

  /** Bytes between two rows up to which their transfer costs less than another verb. */
  private static final int GAP_MAX = 256;

  /** Maximum length of a READ of several rows. */
  private static final int RUN_MAX = 4096;

  private final Channel channel;
  private final PoolMemory memory;
  private final boolean remote;

  /** Addresses of the slots that were read, NULL for the others. */
  private final long[] slots;

  private final int[] bytes;
  private final int[] stagingOffsets;

  /** The READ that is not posted yet; its length is 0 if every READ is posted. */
  private long run;

  private int runOffset;
  private int runLength;

  public CvtReads(CoordinatorContext context, int capacity) {
    this.channel = context.channel();
    this.memory = context.memory();
    this.remote = context.caches().isRemote();
    int slotCount = remote ? capacity : 0;
    this.slots = new long[slotCount];
    this.bytes = new int[slotCount];
    this.stagingOffsets = new int[slotCount];
  }

  /** Begins a set of READs. {@link #post} follows the last one. */
  public void begin() {
    runLength = 0;
  }

  /**
   * Adds the READ of CVT {@code i}, and perhaps its inline slot. It may be posted later, together
   * with others.
   *
   * @return offset of the CVT in the staging buffer
   */
  public int add(int i, TableStore table, long cvt) {
    int cvtBytes = table.cvtBytes();
    if (!remote) {
      int offset = channel.reserve(cvtBytes);
      channel.read(cvt, offset, cvtBytes);
      return offset;
    }
    int slotBytes = slotBytes(table, cvt);
    if (!isInRun(cvt, cvtBytes + slotBytes)) {
      post();
      run = cvt;
      runOffset = channel.mark();
    }
    int at = (int) (cvt - run);
    int needed = Math.max(runLength, at + cvtBytes + slotBytes);
    channel.reserve(needed - runLength);
    runLength = needed;
    set(i, slotBytes, cvt + cvtBytes, runOffset + at + cvtBytes);
    return runOffset + at;
  }

  /** The lengths of runs are multiples of 8, as are those of reserved staging bytes. */
  private boolean isInRun(long cvt, int length) {
    long at = cvt - run;
    return runLength > 0
        && at >= 0
        && at <= runLength + GAP_MAX
        && at + length <= RUN_MAX
        && channel.mark() == runOffset + runLength;
  }

  /**
   * Returns the number of bytes to be read behind a CVT. This is the length of the table's longest
   * inline slot, so a shorter slot is read beyond its end. The READ never goes beyond the memory
   * that has been handed out: the node may have no memory there, and no room for any.
   */
  private int slotBytes(TableStore table, long cvt) {
    long end = memory.handedOutEnd(PoolAddress.node(cvt));
    long left = end - PoolAddress.offset(cvt) - table.cvtBytes();
    int length = Math.clamp(left, 0, table.inlineSlotBytes());
    return channel.stagingAvailable() >= STAGING_RESERVE + length ? length : 0;
  }

  private void set(int i, int length, long slot, int stagingOffset) {
    slots[i] = length > 0 ? slot : PoolAddress.NULL;
    bytes[i] = length;
    stagingOffsets[i] = stagingOffset;
  }

  /** Posts the last READ. */
  public void post() {
    if (runLength > 0) {
      channel.read(run, runOffset, runLength);
      runLength = 0;
    }
  }

  /**
   * Posts the READ of a CVT, and then that of its inline slot.
   *
   * @return offset of the CVT in the staging buffer
   */
  int postGuarded(int i, TableStore table, long cvt) {
    int cvtBytes = table.cvtBytes();
    int offset = channel.reserve(cvtBytes);
    channel.read(cvt, offset, cvtBytes);
    if (remote) {
      int slotBytes = slotBytes(table, cvt);
      set(i, slotBytes, cvt + cvtBytes, channel.reserve(slotBytes));
      if (slotBytes > 0) {
        channel.read(slots[i], stagingOffsets[i], slotBytes);
      }
    }
    return offset;
  }

  /** Discards the inline slot of CVT {@code i}, whose next copy does not belong to it. */
  void skip(int i) {
    if (remote) {
      slots[i] = PoolAddress.NULL;
    }
  }

  /**
   * Returns the offset in the staging buffer of the record that a cell of CVT {@code i} points to,
   * or {@link #NOWHERE}.
   */
  public int recordOffset(int i, long word0) {
    boolean isRead =
        remote
            && slots[i] != PoolAddress.NULL
            && CellLayout.address(word0) == slots[i]
            && SizeClass.bytes(CellLayout.sizeClass(word0)) <= bytes[i];
    return isRead ? stagingOffsets[i] : NOWHERE;
  }
}
