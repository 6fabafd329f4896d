package org.nelumbo.executor.commit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.version.BlockRun;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * Posts the WRITEs that store versions in the pool: records, evicted versions and cells. {@link
 * LotusCommitter} determines the order of the flushes. Confined to one thread at a time.
 *
 * <p>On a remote fabric, new rows in adjacent blocks, such as those of one batch, are written by
 * one WRITE. Elsewhere a WRITE costs no more than its bytes.
 */
final class CellWriter {
  private static final int STAGING_RESERVE = 4096;

  private final Channel channel;
  private final MemorySegment staging;
  private final WriteSet writes;

  /** New rows whose WRITE is not posted yet. */
  private final BlockRun newRows;

  private final boolean isRemote;

  CellWriter(Channel channel, WriteSet writes, boolean isRemote) {
    this.channel = channel;
    this.staging = channel.staging();
    this.writes = writes;
    this.isRemote = isRemote;
    this.newRows = new BlockRun(channel);
  }

  /** Returns true if the WRITEs of an entry can be staged before the next flush. */
  boolean fits(int entry) {
    return channel.stagingAvailable() >= STAGING_RESERVE + writes.imageLength(entry);
  }

  /** Begins a commit. */
  void begin() {
    newRows.clear();
  }

  /**
   * Posts a new version: its record, the version that it evicts to the overflow chain, and its
   * cell, with a version number that makes it invisible. The WRITE of a new row may be delayed
   * until {@link #postNewRows}.
   */
  void post(int entry, long horizon, long invisible) {
    VersionSlotPlan plan = writes.plan(entry);
    boolean hasRecord = CellLayout.hasRecord(plan.newWord0());
    if (isRemote
        && writes.isFresh(entry)
        && CvtLayout.isInline(CellLayout.address(plan.newWord0()))) {
      addNewRow(entry, plan, invisible);
      return;
    }
    boolean isOneWrite = hasRecord && plan.isOneWrite(writes.table(entry).versions());
    if (hasRecord && !isOneWrite) {
      postRecord(entry, plan);
    }
    if (plan.overflowBlock() != PoolAddress.NULL) {
      postOverflow(entry, plan, horizon);
    } else if (plan.overflowIsDead(horizon)) {
      channel.writeLong(writes.cvt(entry) + CvtLayout.OVERFLOW_OFFSET, PoolAddress.NULL);
    }
    if (isOneWrite) {
      postCellAndRecord(entry, plan, invisible);
    } else {
      postCell(entry, plan, invisible);
    }
  }

  /** Adds a new row to the delayed WRITE. Its CVT is written again, as it is since the insert. */
  private void addNewRow(int entry, VersionSlotPlan plan, long version) {
    long cvt = writes.cvt(entry);
    int cells = writes.table(entry).versions();
    int cvtBytes = CvtLayout.bytes(cells);
    if (!newRows.isFollowedBy(cvt)) {
      postNewRows();
    }
    int blockBytes = SizeClass.bytes(plan.blockClass());
    int offset = newRows.add(cvt, blockBytes, cvtBytes + recordLength(entry));
    CvtLayout.writeEmpty(
        staging,
        offset,
        writes.lotusKey(entry),
        writes.table(entry).id(),
        cells,
        plan.blockClass());
    stageCell(offset + CvtLayout.cellOffset(plan.cell()), plan, version);
    stageRecord(entry, offset + cvtBytes);
  }

  /** Posts the delayed WRITE, if any. Called before each flush. */
  void postNewRows() {
    if (!newRows.isEmpty()) {
      channel.write(newRows.address(), newRows.offset(), newRows.length());
      newRows.clear();
    }
  }

  /** Posts a cell and the inline record behind it, with the unchanged cell in between, if any. */
  private void postCellAndRecord(int entry, VersionSlotPlan plan, long version) {
    int cells = writes.table(entry).versions() - plan.cell();
    int record = cells * CvtLayout.CELL_LENGTH;
    int length = record + recordLength(entry);
    int offset = channel.reserve(length);
    stageCell(offset, plan, version);
    if (cells > 1) {
      staging.set(ValueLayout.JAVA_LONG, offset + CvtLayout.CELL_LENGTH, plan.lastWord0());
      staging.set(
          ValueLayout.JAVA_LONG, offset + CvtLayout.CELL_LENGTH + Long.BYTES, plan.lastWord1());
    }
    stageRecord(entry, offset + record);
    channel.write(writes.cvt(entry) + CvtLayout.cellOffset(plan.cell()), offset, length);
  }

  private void stageCell(int offset, VersionSlotPlan plan, long version) {
    assert plan.continuesOldCell() : "the cell's CV does not show the change";
    staging.set(ValueLayout.JAVA_LONG, offset, plan.newWord0());
    staging.set(ValueLayout.JAVA_LONG, offset + Long.BYTES, plan.newWord1(version));
  }

  private void postRecord(int entry, VersionSlotPlan plan) {
    int offset = stageRecord(entry);
    channel.write(CellLayout.address(plan.newWord0()), offset, recordLength(entry));
  }

  /** Returns the length of the entry's record in bytes. */
  int recordLength(int entry) {
    return RecordLayout.KEY_OFFSET + writes.imageLength(entry);
  }

  /** Copies the entry's record into the staging buffer and returns its offset there. */
  int stageRecord(int entry) {
    int offset = channel.reserve(recordLength(entry));
    stageRecord(entry, offset);
    return offset;
  }

  private void stageRecord(int entry, int offset) {
    long predecessor = writes.plan(entry).predecessor();
    RecordLayout.writeHeader(
        staging, offset, recordLength(entry), writes.keyLength(entry), predecessor);
    MemorySegment.copy(
        writes.images(),
        writes.imageOffset(entry),
        staging,
        ValueLayout.JAVA_BYTE,
        offset + RecordLayout.KEY_OFFSET,
        writes.imageLength(entry));
  }

  /** Called before the cell of the old version is overwritten. */
  private void postOverflow(int entry, VersionSlotPlan plan, long horizon) {
    if (!isForeign(entry, plan)) {
      postEviction(plan, horizon);
    }
    channel.writeLong(writes.cvt(entry) + CvtLayout.OVERFLOW_OFFSET, plan.overflowBlock());
  }

  private boolean isForeign(int entry, VersionSlotPlan plan) {
    return PoolAddress.node(plan.overflowBlock()) != PoolAddress.node(writes.cvt(entry));
  }

  private void postEviction(VersionSlotPlan plan, long horizon) {
    int offset = channel.reserve(OverflowLayout.LENGTH);
    long next = plan.overflowIsDead(horizon) ? PoolAddress.NULL : plan.overflow();
    OverflowLayout.write(staging, offset, next, plan.oldWord0(), plan.oldWord1());
    channel.write(plan.overflowBlock(), offset, OverflowLayout.LENGTH);
  }

  /**
   * Writes the overflow blocks that are on other nodes than their CVTs before any pointer leads to
   * them. There is no order between nodes, and a reader that saw the pointer first would take the
   * previous content of the block for a version of the row. Flushes if there are any such blocks.
   *
   * @param mark mark of the staging buffer, to which it is released
   */
  void writeForeignEvictions(int mark, long horizon) {
    boolean posted = false;
    for (int entry = 0; entry < writes.size(); entry++) {
      VersionSlotPlan plan = writes.plan(entry);
      if (!writes.isWritten(entry)
          || plan.overflowBlock() == PoolAddress.NULL
          || !isForeign(entry, plan)) {
        continue;
      }
      if (channel.stagingAvailable() < STAGING_RESERVE) {
        channel.flush();
        channel.release(mark);
      }
      postEviction(plan, horizon);
      posted = true;
    }
    if (posted) {
      channel.flush();
      channel.release(mark);
    }
  }

  private void postCell(int entry, VersionSlotPlan plan, long version) {
    assert plan.cell() >= 0 && plan.cell() < writes.table(entry).versions() : "no such cell";
    int offset = channel.reserve(CvtLayout.CELL_LENGTH);
    stageCell(offset, plan, version);
    channel.write(
        writes.cvt(entry) + CvtLayout.cellOffset(plan.cell()), offset, CvtLayout.CELL_LENGTH);
  }

  /** Writes the commit timestamp into all cells. */
  void writeVisible(long timestamp) {
    for (int entry = 0; entry < writes.size(); entry++) {
      if (writes.isWritten(entry)) {
        VersionSlotPlan plan = writes.plan(entry);
        channel.writeLong(
            writes.cvt(entry) + CvtLayout.cellOffset(plan.cell()) + Long.BYTES,
            plan.newWord1(timestamp));
      }
    }
    channel.flush();
  }
}
