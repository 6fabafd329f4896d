package org.nelumbo.executor.gc;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.context.FailStop;
import org.nelumbo.executor.context.Leftovers;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
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

  /** How often an item is tried that ends in an exception. */
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

  /** Comes with the first row: on a remote fabric most coordinators leave them to the sweeper. */
  private DeletedRowPurge rows;

  private final RowBuffer image = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();
  private final TidyGuard tidyGuard = new TidyGuard();
  private final FailStop failStop;
  private final CriticalSection critical;
  private final Leftovers leftovers;

  /** The lock key of the item in work, if its lock is held; 0 if not. */
  private long lockedKey;

  /** Deleted rows that come one by one, since one of them ends in an exception. */
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
    this.failStop = context.failStop();
    this.critical = context.critical();
    this.leftovers = context.leftovers();
    this.reader = reader;
    this.garbage = garbage;
  }

  /**
   * Deals with up to {@code limit} items whose time has come; the caller has pinned its epoch after
   * its last transaction. An item that ends in an exception again and again is counted and left as
   * it is; others go on.
   */
  void collect(int limit) {
    collectDue(limit);
    locks.end(); // not after what is thrown: what it has locked is for recovery to decide about
  }

  private void collectDue(int limit) {
    long horizon = epochs.horizon();
    for (int done = 0; done < limit; ) {
      GarbageList.Item item = garbage.peek();
      if (item == null || (item.timestamp > horizon && !item.postdated)) {
        return;
      }
      if (item.timestamp > horizon) {
        garbage.postpone(); // to its place in time
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

  /** How many items that were. */
  private int collectNext(GarbageList.Item item, int limit, long horizon) {
    if (item.kind == GarbageList.LOOSE_CHAIN) {
      return garbage.freeLooseChains(limit);
    } else if (item.kind == GarbageList.DELETED_ROW && !item.table.isDropped()) {
      return removeRows(item.table, limit, horizon);
    }
    collect(item, horizon);
    return 1;
  }

  /**
   * Something was thrown, though nothing is half done: leaves the item for later, or for ever. What
   * locks are held is given back.
   */
  private void giveUp(GarbageList.Item item, int mark, Throwable why) {
    critical.check();
    if (failStop.isStopped()) {
      throw failStop.stop(why);
    }
    leftovers.note("garbage of " + (item.table == null ? "versions" : item.table.schema()), why);
    try {
      leave(item, mark);
    } catch (RuntimeException | Error e) {
      throw failStop.stop(e); // locks stay
    }
  }

  private void leave(GarbageList.Item item, int mark) {
    channel.flush(); // READs that may have been posted only
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

  /** Gives back the locks of rows that were to be removed together; how many rows that were. */
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

  /** Removes the deleted rows of a table that come next; how many items that were. */
  private int removeRows(TableStore table, int limit, long horizon) {
    if (rows == null) {
      rows = new DeletedRowPurge(context, reader, garbage);
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
        // Before the CVT is changed or retired, and once more after it.
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

  /** The oldest item is that of row {@code i}. */
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
      boolean finished = isCurrent(item) ? remove(item, horizon) : removeOrphan(item);
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

  /** Whoever meets the collector's lock waits for it. */
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
    try {
      critical.begin();
      tree.remove(channel, allocator, entryKey, length, cvt);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
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
      // Whoever wrote the versions since has put one into the chain, and left an item for it.
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

  /**
   * The newest version is all that snapshots can see; the entry goes unless that version has this
   * key.
   */
  private boolean removeEntry(GarbageList.Item item) {
    if (!reader.isDeleted()) {
      reader.readRecord();
      reader.copyImage(image, 0);
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
      return tryLock(leafAddress, LockMode.INSERT);
    }

    @Override
    public void exitInsert(long leafAddress) {
      release(leafAddress, LockMode.INSERT);
    }
  }
}
