package org.nelumbo.executor.engine;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.gc.GarbageList;
import org.nelumbo.executor.table.CvtCursor;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.version.VisibilityRules;

/**
 * Frees the memory of dropped tables and indexes, which no other thread can reach, neither
 * transactions nor collectors. Versions, records and CVTs are free at once; nodes and segments of
 * indexes when the horizon has passed. Takes one round trip for 64 rows, and one more for each
 * version that had left its CVT. Removes the rows from the CVT cache: to make room, and so that all
 * its entries are in the pool.
 */
final class TableEraser {
  private static final int BATCH = 64;

  private final Epochs epochs;
  private final int slot;
  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;
  private final GarbageList garbage;
  private final CvtCache cache;
  private final long[] cvts = new long[BATCH];
  private final int[] offsets = new int[BATCH];

  TableEraser(Coordinator coordinator) {
    this.epochs = coordinator.context().epochs();
    this.slot = coordinator.slot();
    this.channel = coordinator.channel();
    this.staging = channel.staging();
    this.allocator = coordinator.allocator();
    this.garbage = coordinator.retireQueue().garbage();
    this.cache = coordinator.context().caches().cvts();
  }

  void erase(TableStore table) {
    epochs.pin(slot);
    try {
      eraseRows(table);
      if (table.hash() != null) {
        table.hash().drop(channel, allocator);
      }
      if (table.primary() != null) {
        table.primary().tree().drop(channel, allocator);
      }
      for (IndexStore index : table.indexes()) {
        index.tree().drop(channel, allocator);
      }
    } finally {
      epochs.unpin(slot);
    }
  }

  void erase(IndexStore index) {
    epochs.pin(slot);
    try {
      index.tree().drop(channel, allocator);
    } finally {
      epochs.unpin(slot);
    }
  }

  private void eraseRows(TableStore table) {
    CvtCursor cursor = table.newCursor();
    for (int found; (found = cursor.next(channel)) > 0; ) {
      for (int from = 0; from < found; from += BATCH) {
        int count = Math.min(BATCH, found - from);
        for (int i = 0; i < count; i++) {
          cvts[i] = cursor.cvt(from + i);
        }
        eraseBatch(table, count);
      }
    }
  }

  private void eraseBatch(TableStore table, int count) {
    int mark = channel.mark();
    for (int i = 0; i < count; i++) {
      offsets[i] = channel.reserve(table.cvtBytes());
      channel.read(cvts[i], offsets[i], table.cvtBytes());
    }
    channel.flush();
    for (int i = 0; i < count; i++) {
      for (int cell = 0; cell < table.versions(); cell++) {
        if (VisibilityRules.ownsRecord(staging, offsets[i], cell)) {
          long word0 = CvtLayout.word0(staging, offsets[i], cell);
          allocator.free(CellLayout.address(word0), CellLayout.sizeClass(word0));
        }
      }
      cache.remove(CvtLayout.lotusKey(staging, offsets[i]));
      garbage.freeChain(
          CvtLayout.overflow(staging, offsets[i]),
          VisibilityRules.oldestSettled(staging, offsets[i], table.versions()));
      allocator.free(cvts[i], CvtLayout.blockClass(staging, offsets[i]));
    }
    channel.release(mark);
  }
}
