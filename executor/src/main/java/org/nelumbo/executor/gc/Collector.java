package org.nelumbo.executor.gc;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.cache.OwnedLeaves;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.context.FailStop;
import org.nelumbo.executor.context.Leftovers;
import org.nelumbo.executor.lock.LeafKeys;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.version.VersionReader;
import org.nelumbo.executor.version.VisibilityRules;

/**
 * Removes data that no snapshot can need: deleted rows with their index entries, overflow chains,
 * and stale index entries. It works between transactions, a few items at a time, each under the
 * write lock of its row, which it acquires only if it is free. It checks each item again under the
 * lock, since the row may have been removed or written in the meantime. Not thread-safe.
 *
 * <p>A table or index may be dropped at any time, since a collector holds no metadata lock. The
 * collector publishes its table in {@link #tableInWork}, then checks whether that was dropped.
 * {@link #awaitAbsence} is called after the drop was recorded, and waits while the collector works
 * on the table. So one of the two sees the other.
 */
public final class Collector {
  private static final int LEAVES_PER_ENTRY = 2;

  private static final int FAILURES_MAX = 3;

  private final CoordinatorContext context;
  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;
  private final GarbageLocks locks;
  private final Epochs epochs;
  private final VersionReader reader;
  private final GarbageList garbage;
  private final CvtCache cache;
  private final OwnedLeaves images;

  /** Created for the first row: on a remote fabric most coordinators leave rows to the sweeper. */
  private DeletedRowPurge rows;

  private final RowBuffer image = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();
  private final TidyGuard tidyGuard = new TidyGuard();
  private final FailStop failStop;
  private final CriticalSection critical;
  private final Leftovers leftovers;

  /** Lock key of the current item while its lock is held; otherwise 0. */
  private long lockedKey;

  /** Number of deleted rows to be removed one by one, since one of them causes an exception. */
  private int alone;

  private volatile TableStore tableInWork;

  Collector(CoordinatorContext context, VersionReader reader, GarbageList garbage) {
    this.context = context;
    this.channel = context.channel();
    this.staging = channel.staging();
    this.allocator = context.allocator();
    this.locks = new GarbageLocks(context);
    this.epochs = context.epochs();
    this.cache = context.caches().cvts();
    this.images = context.caches().leaves();
    this.failStop = context.failStop();
    this.critical = context.critical();
    this.leftovers = context.leftovers();
    this.reader = reader;
    this.garbage = garbage;
  }

  /**
   * Processes up to {@code limit} items that the horizon has passed. The caller has pinned its
   * epoch after its last transaction. An item that fails repeatedly is counted and dropped;
   * processing continues with the others.
   */
  void collect(int limit) {
    collectDue(limit);
    locks.end(); // not after an exception: recovery decides about its locks
  }

  private void collectDue(int limit) {
    long horizon = epochs.horizon();
    for (int done = 0; done < limit; ) {
      GarbageList.Item item = garbage.peek();
      if (item == null || (item.timestamp > horizon && !item.postdated)) {
        return;
      }
      if (item.timestamp > horizon) {
        garbage.postpone(); // moves it to its position in time
        done++;
        continue;
      }
      int mark = channel.mark();
      tableInWork = item.table;
      try {
        done += collectNext(item, limit - done, horizon);
      } catch (FabricException e) {
        throw e;
      } catch (RuntimeException | Error e) {
        giveUp(item, mark, e);
        done++;
      } finally {
        tableInWork = null;
      }
    }
  }

  private int collectNext(GarbageList.Item item, int limit, long horizon) {
    if (item.kind == GarbageList.LOOSE_CHAIN) {
      return garbage.freeLooseChains(limit);
    } else if (item.kind == GarbageList.DELETED_ROW && !item.table.isDropped()) {
      return removeRows(item.table, limit, horizon);
    }
    collect(item, horizon);
    return 1;
  }

  /** Keeps the item for later, or drops it. Releases all locks that are held. */
  private void giveUp(GarbageList.Item item, int mark, Throwable why) {
    critical.check();
    if (failStop.isStopped()) {
      throw failStop.stop(why);
    }
    leftovers.note("garbage of " + (item.table == null ? "versions" : item.table.schema()), why);
    try {
      leave(item, mark);
    } catch (RuntimeException | Error e) {
      throw failStop.stop(e); // locks remain
    }
  }

  private void leave(GarbageList.Item item, int mark) {
    channel.flush(); // READs may be posted but not flushed
    channel.release(mark);
    if (lockedKey != 0) {
      release(lockedKey, LockMode.WRITE);
      lockedKey = 0;
    }
    int together = rows == null ? 0 : unlockRows();
    if (together > 1) {
      alone = together;
    } else if (++item.failures < FAILURES_MAX) {
      garbage.postpone();
    } else {
      garbage.pop();
    }
  }

  private int unlockRows() {
    int count = rows.count();
    for (int i = 0; i < count; i++) {
      if (rows.isLocked(i)) {
        release(rows.lotusKey(i), LockMode.WRITE);
      }
    }
    rows.clear();
    return count;
  }

  private int removeRows(TableStore table, int limit, long horizon) {
    if (rows == null) {
      rows = new DeletedRowPurge(context, reader, garbage, tidyGuard);
    }
    rows.begin(table);
    int most = Math.min(limit, Math.min(garbage.size(), DeletedRowPurge.ROWS_MAX));
    if (alone > 0) {
      alone--;
      most = 1;
    }
    for (int i = 0; i < most && isNext(garbage.peek(i), table, horizon); i++) {
      GarbageList.Item item = garbage.peek(i);
      rows.add(item.lotusKey, item.cvt);
      if (tryLock(item.lotusKey, LockMode.WRITE)) {
        rows.setLocked();
        // Before the CVT is changed or retired; repeated after that.
        cache.remove(item.lotusKey);
      }
    }
    rows.run(horizon);
    tidy(table, rows.count());
    int items = rows.count();
    for (int i = 0; i < items; i++) {
      leaveRow(i);
    }
    rows.clear();
    return items;
  }

  private void leaveRow(int i) {
    if (rows.isLocked(i)) {
      cache.remove(rows.lotusKey(i));
      rows.unsetLocked(i);
      release(rows.lotusKey(i), LockMode.WRITE);
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
  void awaitAbsence(TableStore dropped) {
    for (int attempt = 0; tableInWork == dropped; attempt++) {
      context.environment().backoff(attempt);
    }
  }

  private void collect(GarbageList.Item item, long horizon) {
    if (item.table.isDropped() || (item.index != null && item.index.isDropped())) {
      garbage.pop();
    } else if (!tryLock(item.lotusKey, LockMode.WRITE)) {
      garbage.postpone();
    } else {
      lockedKey = item.lotusKey;
      int mark = channel.mark();
      cache.remove(item.lotusKey);
      boolean finished = finish(item, horizon);
      cache.remove(item.lotusKey);
      channel.release(mark);
      lockedKey = 0;
      release(item.lotusKey, LockMode.WRITE);
      if (finished) {
        garbage.pop();
      } else {
        garbage.postpone();
      }
    }
  }

  private boolean finish(GarbageList.Item item, long horizon) {
    if (item.kind == GarbageList.ABORTED_ROW) {
      return removeAborted(item);
    }
    return isCurrent(item) ? remove(item, horizon) : removeOrphan(item);
  }

  /** The other entries that lead to the CVT are items of their own, which are removed first. */
  private boolean removeAborted(GarbageList.Item item) {
    if (garbage.hasEntryOf(item.cvt)
        || item.index != null && !removeFrom(item.index.tree(), item.key, item.cvt)) {
      return false;
    }
    allocator.retire(item.cvt, item.sizeClass, context.clock().retirement(channel));
    return true;
  }

  /** Other transactions that need the lock wait for it. */
  private boolean tryLock(long lockKey, LockMode mode) {
    try {
      return locks.tryLock(lockKey, mode);
    } catch (RuntimeException | Error e) {
      throw failStop.stop(e);
    }
  }

  private void release(long lockKey, LockMode mode) {
    try {
      locks.unlock(lockKey, mode);
    } catch (RuntimeException | Error e) {
      throw failStop.stop(e);
    }
  }

  /**
   * Without a hash index, the CVT shows whether it is still that of the row: its LOTUS key is
   * removed before its memory is freed.
   */
  private boolean isCurrent(GarbageList.Item item) {
    if (item.table.hash() == null) {
      int mark = channel.mark();
      int offset = channel.reserve(item.table.cvtBytes());
      channel.read(item.cvt, offset, item.table.cvtBytes());
      channel.flush();
      boolean isCurrent =
          CvtLayout.isOf(staging, offset, item.table.id(), item.table.versions())
              && CvtLayout.lotusKey(staging, offset) == item.lotusKey;
      channel.release(mark);
      return isCurrent;
    }
    return item.table.hash().contains(channel, item.lotusKey, item.cvt);
  }

  /** Only an index entry that points to the address of the row can be left. */
  private boolean removeOrphan(GarbageList.Item item) {
    return item.kind != GarbageList.INDEX_ENTRY
        || removeFrom(item.index.tree(), item.key, item.cvt);
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

  /** Returns false if the leaf was not available. */
  private boolean removeFrom(OrderedIndex tree, byte[] entryKey, long cvt) {
    int removed;
    try {
      critical.begin();
      removed = tree.remove(channel, entryKey, entryKey.length, cvt, tidyGuard);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
    tidy(tree, 1);
    return removed != IndexResult.CONFLICT;
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
      try {
        critical.begin();
        tree.removeEmptyLeaves(channel, allocator, tidyGuard, entries * LEAVES_PER_ENTRY);
        critical.end();
      } catch (RuntimeException | Error e) {
        throw critical.failed(e);
      }
    }
  }

  private boolean removeChain(GarbageList.Item item, int offset, long horizon) {
    long chain = CvtLayout.overflow(staging, offset);
    if (chain == PoolAddress.NULL) {
      return true;
    }
    long oldest = VisibilityRules.oldestVersion(staging, offset, item.table.versions());
    if (oldest > horizon) {
      // A later writer has moved a version into the chain, and has added an item for it.
      return oldest != Long.MAX_VALUE;
    }
    try {
      critical.begin();
      channel.writeLong(item.cvt + CvtLayout.OVERFLOW_OFFSET, PoolAddress.NULL);
      channel.flush();
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
    garbage.freeChain(chain, oldest);
    return true;
  }

  /** The entry stays if the newest version, the only one that snapshots can see, has its key. */
  private boolean removeEntry(GarbageList.Item item) {
    if (!reader.isDeleted()) {
      reader.readRecord();
      reader.copyImage(image, 0);
      item.index.encoder().build(image, key);
      if (Arrays.equals(key.bytes, 0, key.length, item.key, 0, item.key.length)) {
        return true;
      }
    }
    return removeFrom(item.index.tree(), item.key, item.cvt);
  }

  /**
   * Locks leaves for the removal of entries, and of empty leaves that no scanner holds; hardly
   * waits, scans nothing.
   */
  private final class TidyGuard implements LeafGuard {
    @Override
    public boolean enterScan(long leafAddress) {
      return false;
    }

    @Override
    public boolean enterInsert(long leafAddress) {
      return tryLock(leafAddress, insertMode());
    }

    private LockMode insertMode() {
      return excludesChanges() ? LockMode.CHANGE : LockMode.INSERT;
    }

    @Override
    public void exitInsert(long leafAddress) {
      release(leafAddress, insertMode());
    }

    @Override
    public boolean excludesChanges() {
      return locks.isShared();
    }

    @Override
    public boolean enterChange(long leafAddress) {
      return !excludesChanges() || tryLock(LeafKeys.change(leafAddress), LockMode.WRITE);
    }

    @Override
    public boolean tryEnterChange(long leafAddress) {
      return enterChange(leafAddress);
    }

    @Override
    public byte[] takeImage(Object index, long leafAddress) {
      return excludesChanges() ? images.take(index, leafAddress) : null;
    }

    @Override
    public void keepImage(Object index, long leafAddress, byte[] bytes) {
      images.keep(index, leafAddress, bytes);
    }

    @Override
    public boolean keepsImage(long leafAddress) {
      return images.isOwned(leafAddress);
    }

    @Override
    public void exitChange(long leafAddress) {
      if (excludesChanges()) {
        release(LeafKeys.change(leafAddress), LockMode.WRITE);
      }
    }
  }
}
