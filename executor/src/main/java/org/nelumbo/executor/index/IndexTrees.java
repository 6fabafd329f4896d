package org.nelumbo.executor.index;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.tree.EntryRemovals;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.index.tree.LatchedInsert;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.gc.GarbageList;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;

/**
 * The trees of ordered indexes, as one transaction modifies them: under its leaf locks, and without
 * the leaves it has cached. Not thread-safe.
 */
public final class IndexTrees {
  private final Channel channel;
  private final PoolAllocator allocator;
  private final KeyLocks locks;
  private final TransactionReadCache cache;
  private final CriticalSection critical;
  private final ValueLocks values;
  private final Clock clock;
  private final GarbageList garbage;

  public IndexTrees(
      CoordinatorContext context, KeyLocks locks, TransactionReadCache cache, GarbageList garbage) {
    this.channel = context.channel();
    this.allocator = context.allocator();
    this.clock = context.clock();
    this.garbage = garbage;
    this.locks = locks;
    this.cache = cache;
    this.critical = context.critical();
    this.values = new ValueLocks(locks);
  }

  /**
   * Returns the tree of an index that is about to be modified, or of which a value has been locked.
   * Discards the cached leaves of the tree, which are outdated then.
   */
  public OrderedIndex changing(IndexStore index) {
    cache.forgetLeaves(index.tree());
    return index.tree();
  }

  /**
   * Inserts an entry into a secondary index, under the lock of its value.
   *
   * @return an {@link IndexResult}, see {@link #outcome}
   */
  int insertWithValue(IndexStore index, KeyBuffer key, long cvt) {
    values.add(index, key);
    if (values.enter() != Outcome.OK) {
      return IndexResult.CONFLICT;
    }
    int result = insert(index, key, cvt);
    values.leave();
    return result;
  }

  /**
   * Inserts an entry into a primary index.
   *
   * @return an {@link IndexResult}, see {@link #outcome}
   */
  int insert(IndexStore index, KeyBuffer key, long cvt) {
    OrderedIndex tree = changing(index);
    try {
      critical.begin();
      int result = tree.insert(channel, allocator, key.bytes, key.length, cvt, locks.leafGuard());
      critical.end();
      return result;
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  /**
   * Finishes an insert of entries whose values may exist: adds the missing ones. Returns OK,
   * CONFLICT, CANCELLED or EXHAUSTED.
   */
  public Outcome finish(LatchedInsert insert) {
    try {
      critical.begin();
      Outcome result = outcome(insert.finish(channel, allocator, locks.leafGuard()));
      critical.end();
      return result;
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  /** Creates removals of entries, under the leaf locks of the transaction. */
  public EntryRemovals newRemovals() {
    return new EntryRemovals(locks.leafGuard());
  }

  /**
   * Leaves an entry that the transaction has added to garbage collection, since its leaf is not
   * available before the transaction ends.
   */
  void leaveEntry(IndexStore index, KeyBuffer key, long lotusKey, long cvt) {
    garbage.addIndexEntry(index, key, lotusKey, cvt, clock.retirement(channel));
  }

  /**
   * Leaves the CVT of a row that the transaction has inserted and does not keep to garbage
   * collection, with the entry of its primary key, if entries that lead to it were left.
   *
   * @param removals the removal of that entry
   * @return false if no entry leads to the CVT
   */
  public boolean leaveRow(
      EntryRemovals removals,
      TableStore table,
      KeyBuffer key,
      long lotusKey,
      long cvt,
      int sizeClass) {
    boolean isLeft = removals.isRefused(cvt) || garbage.hasEntryOf(cvt);
    if (isLeft) {
      garbage.addAborted(table, key, lotusKey, cvt, sizeClass, clock.retirement(channel));
    }
    return isLeft;
  }

  /** Converts the {@link IndexResult} of an insert to the outcome for the transaction. */
  Outcome outcome(int inserted) {
    return switch (inserted) {
      case IndexResult.CONFLICT -> locks.failure();
      case IndexResult.EXHAUSTED -> Outcome.EXHAUSTED;
      default -> Outcome.OK;
    };
  }
}
