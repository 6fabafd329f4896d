package org.nelumbo.executor.commit;

import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.cache.ReadCaches;
import org.nelumbo.executor.cache.RecordCache;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * Keeps the engine's cached CVTs and records consistent with the commits of a coordinator. Does
 * nothing on a local fabric, which has no such caches. Confined to one thread at a time.
 */
final class CacheUpdate {
  private final boolean isRemote;
  private final CvtCache cvts;
  private final RecordCache records;
  private final Channel channel;
  private final WriteSet writes;
  private final CellWriter cells;

  CacheUpdate(ReadCaches caches, Channel channel, WriteSet writes, CellWriter cells) {
    this.isRemote = caches.isRemote();
    this.cvts = caches.cvts();
    this.records = caches.records();
    this.channel = channel;
    this.writes = writes;
    this.cells = cells;
  }

  /** Invalidates the cached copies of all written CVTs until {@link #publish}. */
  void invalidate() {
    for (int entry = 0; isRemote && entry < writes.size(); entry++) {
      if (writes.isWritten(entry)) {
        invalidate(entry);
      }
    }
  }

  private void invalidate(int entry) {
    if (writes.isFresh(entry)) {
      TableStore table = writes.table(entry);
      int blockClass = writes.plan(entry).blockClass();
      cvts.invalidateNew(
          table.id(), writes.lotusKey(entry), writes.cvt(entry), table.versions(), blockClass);
    } else {
      cvts.invalidate(writes.lotusKey(entry));
    }
  }

  /** Caches the written records, and applies the new cells to the cached CVTs. */
  void publish(long horizon, long timestamp) {
    for (int entry = 0; isRemote && entry < writes.size(); entry++) {
      if (writes.isWritten(entry)) {
        VersionSlotPlan plan = writes.plan(entry);
        if (records.isEnabled() && CellLayout.hasRecord(plan.newWord0())) {
          cacheRecord(entry, CellLayout.address(plan.newWord0()), timestamp);
        }
        cvts.publish(
            writes.lotusKey(entry),
            writes.cvt(entry),
            plan.cell(),
            plan.newWord0(),
            plan.newWord1(timestamp),
            plan.newOverflow(horizon));
      }
    }
  }

  private void cacheRecord(int entry, long address, long timestamp) {
    int mark = channel.mark();
    int offset = cells.stageRecord(entry);
    records.put(address, timestamp, channel.staging(), offset, cells.recordLength(entry));
    channel.release(mark);
  }
}
