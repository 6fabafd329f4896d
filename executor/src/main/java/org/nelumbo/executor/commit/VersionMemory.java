package org.nelumbo.executor.commit;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.RecordCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.gc.ChainCut;
import org.nelumbo.executor.gc.GarbageList;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * The pool memory of the versions that a coordinator's transactions write and replace. Confined to
 * one thread at a time.
 */
final class VersionMemory {
  private final Channel channel;
  private final PoolAllocator allocator;
  private final Epochs epochs;
  private final RecordCache records;
  private final WriteSet writes;
  private final GarbageList garbage;
  private final ChainCut chainCut;

  /** Horizon of one commit: no transaction needs versions that ended before it. */
  private long horizon;

  VersionMemory(CoordinatorContext context, WriteSet writes, GarbageList garbage) {
    this.channel = context.channel();
    this.allocator = context.allocator();
    this.epochs = context.epochs();
    this.records = context.caches().records();
    this.writes = writes;
    this.garbage = garbage;
    this.chainCut = new ChainCut(context, garbage);
  }

  /**
   * Begins a commit. Refreshes the horizon only if a version would be evicted to the overflow chain
   * under the cached one.
   */
  void begin() {
    horizon = epochs.horizon();
    for (int entry = 0; entry < writes.size(); entry++) {
      if (writes.isWritten(entry) && writes.plan(entry).evicts(horizon)) {
        horizon = epochs.refreshHorizon();
        return;
      }
    }
  }

  /** Returns the horizon of the commit. */
  long horizon() {
    return horizon;
  }

  /** Allocates the memory of all versions; returns false if the pool is full. */
  boolean allocate() {
    for (int entry = 0; entry < writes.size(); entry++) {
      if (!writes.isWritten(entry)) {
        continue;
      }
      VersionSlotPlan plan = writes.plan(entry);
      if (!allocateRecord(entry, plan)) {
        return false;
      }
      if (plan.evicts(horizon)) {
        long block = allocate(entry, OverflowLayout.SIZE_CLASS);
        if (block == PoolAddress.NULL) {
          return false;
        }
        plan.setOverflowBlock(block);
      }
    }
    return true;
  }

  /**
   * A deletion needs no record if the CVT has another cell. That cell then holds the deleted
   * version, and with it the key. So rows can be deleted even from a full pool.
   */
  private boolean allocateRecord(int entry, VersionSlotPlan plan) {
    int cells = writes.table(entry).versions();
    if (!writes.isPresent(entry) && cells > 1) {
      plan.setRecord(PoolAddress.NULL, 0, true);
      return true;
    }
    int length = RecordLayout.KEY_OFFSET + writes.imageLength(entry);
    int sizeClass = SizeClass.of(length);
    long record = plan.inlineSlot(writes.cvt(entry), cells, sizeClass, horizon);
    if (record == PoolAddress.NULL) {
      record = allocate(entry, sizeClass);
    }
    if (record == PoolAddress.NULL) {
      return false;
    }
    plan.setRecord(record, sizeClass, !writes.isPresent(entry));
    channel.prefetch(record, length);
    return true;
  }

  /** A deletion may use the reserve, since the collector soon frees its row. */
  private long allocate(int entry, int sizeClass) {
    long block = writes.table(entry).allocate(allocator, sizeClass, writes.lotusKey(entry));
    return block == PoolAddress.NULL && !writes.isPresent(entry)
        ? allocator.allocateReserved(sizeClass)
        : block;
  }

  /**
   * Frees the memory that {@link #allocate()} has allocated for a commit that does not take place.
   */
  void freeAllocated() {
    for (int entry = 0; entry < writes.size(); entry++) {
      VersionSlotPlan plan = writes.plan(entry);
      if (!writes.isWritten(entry) || plan.newWord0() == 0) {
        continue;
      }
      if (CellLayout.hasOwnBlock(plan.newWord0())) {
        allocator.free(CellLayout.address(plan.newWord0()), CellLayout.sizeClass(plan.newWord0()));
      }
      if (plan.overflowBlock() != PoolAddress.NULL) {
        allocator.free(plan.overflowBlock(), OverflowLayout.SIZE_CLASS);
      }
      plan.clearResult();
    }
  }

  /**
   * Frees replaced versions that no transaction can need, and passes the others to the collector.
   */
  void retireReplaced(long timestamp) {
    for (int entry = 0; entry < writes.size(); entry++) {
      if (!writes.isWritten(entry)) {
        continue;
      }
      VersionSlotPlan plan = writes.plan(entry);
      if (plan.overflowIsDead(horizon)) {
        garbage.discardChain(plan.overflow(), plan.oldestVersion(), timestamp);
      } else if (plan.overflowBlock() != PoolAddress.NULL) {
        chainCut.added(writes.cvt(entry), plan.overflowBlock(), horizon, timestamp);
      }
      if (plan.freesOldRecord()) {
        freeRecord(plan.oldWord0());
      } else if (plan.overflowBlock() != PoolAddress.NULL) {
        garbage.addOverflow(
            writes.table(entry), writes.lotusKey(entry), writes.cvt(entry), timestamp);
      }
      if (!writes.isPresent(entry)) {
        garbage.addDeleted(
            writes.table(entry), writes.lotusKey(entry), writes.cvt(entry), timestamp);
      }
    }
  }

  private void freeRecord(long word0) {
    records.remove(CellLayout.address(word0));
    allocator.free(CellLayout.address(word0), CellLayout.sizeClass(word0));
  }
}
