package org.nelumbo.executor.gc;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.Priority;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.version.VersionReader;
import org.nelumbo.executor.version.VisibilityRules;

/**
 * Removes what no snapshot can need any more: deleted rows with their index entries, overflow
 * chains, stale index entries. It works between transactions, a few items at a time, each under the
 * write lock of its row, which it only takes if it is free. An item is looked up again under the
 * lock, since the row may have been removed, or written again, in the meantime. Not thread-safe.
 *
 * <p>A table or index may be dropped at any time, since a collector passes no gate: it says in
 * {@link #tableInWork} where it works, then looks whether that was dropped; {@link #awaitAbsence}
 * is called after the drop was noted, and waits while it works there. One of the two sees the
 * other.
 */
public final class Collector {
  private static final int LEAVES_PER_ENTRY = 2;

  private final CoordinatorContext context;
  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;
  private final LockTable locks;
  private final Clock clock;
  private final Epochs epochs;
  private final VersionReader reader;
  private final GarbageList garbage;
  private final CvtCache cache;

  /** Comes with the first row: on a remote fabric most coordinators leave them to the sweeper. */
  private DeletedRowPurge rows;

  private final RowBuffer image = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();
  private final TidyGuard tidyGuard = new TidyGuard();
  private volatile TableStore tableInWork;

  Collector(CoordinatorContext context, VersionReader reader, GarbageList garbage) {
    this.context = context;
    this.channel = context.channel();
    this.staging = channel.staging();
    this.allocator = context.allocator();
    this.locks = context.lockTable();
    this.clock = context.clock();
    this.epochs = context.epochs();
    this.cache = context.caches().cvts();
    this.reader = reader;
    this.garbage = garbage;
  }

  /**
   * Deals with up to {@code limit} items whose time has come; the caller has pinned its epoch after
   * its last transaction.
   */
  void collect(int limit) {
    long horizon = epochs.horizon();
    for (int done = 0; done < limit; ) {
      GarbageList.Item item = garbage.peek();
      if (item == null || item.timestamp > horizon) {
        return;
      }
      if (item.kind == GarbageList.LOOSE_CHAIN) {
        done += garbage.freeLooseChains(limit - done);
        continue;
      }
      tableInWork = item.table;
      try {
        if (item.kind == GarbageList.DELETED_ROW && !item.table.isDropped()) {
          done += removeRows(item.table, limit - done, horizon);
        } else {
          collect(item, horizon);
          done++;
        }
      } finally {
        tableInWork = null;
      }
    }
  }

  /** Removes the deleted rows of a table that come next; how many items that were. */
  private int removeRows(TableStore table, int limit, long horizon) {
    if (rows == null) {
      rows = new DeletedRowPurge(context, reader, garbage);
    }
    rows.begin(table);
    int items = 0;
    int most = Math.min(limit, Math.min(garbage.size(), DeletedRowPurge.ROWS_MAX));
    for (; items < most && isNext(garbage.peek(items), table, horizon); items++) {
      GarbageList.Item item = garbage.peek(items);
      boolean locked = tryLock(item.lotusKey, LockTable.WRITE);
      if (locked) {
        // Before the CVT is changed or retired, and once more after it.
        cache.remove(item.lotusKey);
      }
      rows.add(item.lotusKey, item.cvt, locked);
    }
    rows.run(horizon);
    tidy(table, items);
    for (int i = 0; i < items; i++) {
      leaveRow(i);
    }
    return items;
  }

  /** The oldest item is that of row {@code i}. */
  private void leaveRow(int i) {
    if (rows.isLocked(i)) {
      long lotusKey = garbage.peek().lotusKey;
      cache.remove(lotusKey);
      locks.release(lotusKey, LockTable.WRITE);
    }
    if (rows.isFinished(i)) {
      garbage.pop();
    } else {
      garbage.postpone();
    }
  }

  private static boolean isNext(GarbageList.Item item, TableStore table, long horizon) {
    return item.kind == GarbageList.DELETED_ROW && item.table == table && item.timestamp <= horizon;
  }

  /** Waits while this collector works on a table or index that was marked as dropped before. */
  public void awaitAbsence(TableStore dropped) {
    for (int attempt = 0; tableInWork == dropped; attempt++) {
      context.environment().backoff(attempt);
    }
  }

  private void collect(GarbageList.Item item, long horizon) {
    if (item.table.isDropped() || (item.index != null && item.index.isDropped())) {
      garbage.pop();
    } else if (!tryLock(item.lotusKey, LockTable.WRITE)) {
      garbage.postpone();
    } else {
      int mark = channel.mark();
      cache.remove(item.lotusKey);
      boolean finished = isCurrent(item) ? remove(item, horizon) : removeOrphan(item);
      cache.remove(item.lotusKey);
      channel.release(mark);
      locks.release(item.lotusKey, LockTable.WRITE);
      if (finished) {
        garbage.pop();
      } else {
        garbage.postpone();
      }
    }
  }

  /** Whoever meets the collector's lock waits for it. */
  private boolean tryLock(long lockKey, int mode) {
    return locks.tryAcquire(lockKey, mode, Priority.ofCollector(clock)) == LockTable.GRANTED;
  }

  /** Whether the CVT is still the one that the item was about. */
  private boolean isCurrent(GarbageList.Item item) {
    return item.table.hash().contains(channel, item.lotusKey, item.cvt);
  }

  /** The row is gone altogether: only an entry that points to where it was can be left. */
  private boolean removeOrphan(GarbageList.Item item) {
    if (item.kind == GarbageList.INDEX_ENTRY) {
      removeFrom(item.index.tree(), item.key, item.key.length, item.cvt);
    }
    return true;
  }

  private boolean remove(GarbageList.Item item, long horizon) {
    TableStore table = item.table;
    int offset = reader.readCvt(table, item.cvt);
    if (!reader.chooseNewest(offset, table.versions()) || reader.version() > horizon) {
      return item.kind == GarbageList.OVERFLOW_CHAIN && removeChain(item, offset, horizon);
    }
    return item.kind == GarbageList.OVERFLOW_CHAIN
        ? removeChain(item, offset, horizon)
        : removeEntry(item);
  }

  /** Removes an entry, and a leaf or two that are empty. */
  private void removeFrom(OrderedIndex tree, byte[] entryKey, int length, long cvt) {
    tree.remove(channel, allocator, entryKey, length, cvt);
    tidy(tree, 1);
  }

  private void tidy(TableStore table, int entries) {
    if (table.primary() != null) {
      tidy(table.primary().tree(), entries);
    }
    for (IndexStore index : table.indexes()) {
      tidy(index.tree(), entries);
    }
  }

  private void tidy(OrderedIndex tree, int entries) {
    if (tree.hasEmptyLeaves()) {
      tree.removeEmptyLeaves(channel, allocator, tidyGuard, entries * LEAVES_PER_ENTRY);
    }
  }

  private boolean removeChain(GarbageList.Item item, int offset, long horizon) {
    long chain = CvtLayout.overflow(staging, offset);
    if (chain == PoolAddress.NULL) {
      return true;
    }
    if (VisibilityRules.oldestVersion(staging, offset, item.table.versions()) > horizon) {
      return false;
    }
    channel.writeLong(item.cvt + CvtLayout.OVERFLOW_OFFSET, PoolAddress.NULL);
    channel.flush();
    garbage.freeChain(chain);
    return true;
  }

  /**
   * The newest version is all that snapshots can see; the entry goes unless that version has this
   * key.
   */
  private boolean removeEntry(GarbageList.Item item) {
    if (!reader.isDeleted()) {
      reader.readRecord();
      reader.copyImage(image);
      item.index.encoder().build(image, key);
      if (Arrays.equals(key.bytes, 0, key.length, item.key, 0, item.key.length)) {
        return true;
      }
    }
    removeFrom(item.index.tree(), item.key, item.key.length, item.cvt);
    return true;
  }

  /** Lets an empty leaf go only if no scanner holds it; never waits, scans nothing. */
  private final class TidyGuard implements LeafGuard {
    @Override
    public boolean enterScan(long leafAddress) {
      return false;
    }

    @Override
    public boolean enterInsert(long leafAddress) {
      return tryLock(leafAddress, LockTable.INSERT);
    }

    @Override
    public void exitInsert(long leafAddress) {
      locks.release(leafAddress, LockTable.INSERT);
    }
  }
}
