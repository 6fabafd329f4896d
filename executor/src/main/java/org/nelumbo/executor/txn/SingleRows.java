package org.nelumbo.executor.txn;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.lock.LockAcquirer;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.RowFinder;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * Gets and changes single rows by primary key: what the transaction itself has written counts, else
 * what is in the pool, under a lock or in the snapshot. Outcomes are those of {@link Transaction}.
 * Not thread-safe.
 */
final class SingleRows {
  private final Transaction transaction;
  private final Channel channel;
  private final ReadView view;
  private final LockAcquirer locks;
  private final WriteSet writes;
  private final RowFinder finder;
  private final RowMutations changes;

  /** Of one row at a time, on a remote fabric; made when it is first wanted. */
  private InsertBatch singleInsert;

  SingleRows(Transaction transaction) {
    this.transaction = transaction;
    this.channel = transaction.coordinator().channel();
    this.view = transaction.view();
    this.locks = transaction.locks();
    this.writes = transaction.writes();
    this.finder = transaction.finder();
    this.changes = transaction.mutations();
  }

  /** See {@link Transaction#get}. */
  int get(TableStore table, KeyBuffer rowKey, int lockMode, RowBuffer out) {
    boolean locked = view.locksReads(lockMode);
    if (locked) {
      // The index window is on its way while the lock's cache line is waited for.
      table.hash().prefetch(channel, rowKey.lotusKey);
      int status = locks.acquire(rowKey.lotusKey, lockMode);
      if (status != Outcome.OK) {
        return status;
      }
    }
    int write = writes.find(table, rowKey.lotusKey, rowKey.bytes, 0, rowKey.length);
    if (write >= 0) {
      if (!writes.isPresent(write)) {
        return Outcome.NOT_FOUND;
      }
      out.copy(writes.images(), writes.imageOffset(write), writes.imageLength(write));
      return Outcome.OK;
    }
    view.pin();
    int status =
        !locked
            ? finder.findVisible(table, rowKey, view.snapshot(), out)
            : lockMode == LockTable.WRITE
                ? changes.readLocked(table, rowKey, out)
                : findLocked(table, rowKey, out, null);
    view.unpin();
    return status;
  }

  /**
   * Looks the row up in the pool under its lock, which was the last one acquired.
   *
   * @param plan takes what a change of the row has to know; null if it will not be changed
   */
  int findLocked(TableStore table, KeyBuffer rowKey, RowBuffer out, VersionSlotPlan plan) {
    int status = finder.findLocked(table, rowKey, locks.rowAddress(), out, plan);
    locks.setRowAddress(finder.cvt());
    return view.isTooNew(finder.version()) ? view.changedSinceSnapshot() : status;
  }

  /** See {@link Transaction#insert}. */
  int insert(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    view.requireWritable();
    return transaction.readsAhead()
        ? insertRemotely(table, rowKey, image)
        : changes.insert(table, rowKey, image);
  }

  /** A batch of one row takes fewer round trips, if also more work. */
  private int insertRemotely(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    if (singleInsert == null) {
      singleInsert = transaction.newInsertBatch();
    }
    singleInsert.clear();
    singleInsert.add(table, rowKey, image);
    return singleInsert.execute();
  }

  /** See {@link Transaction#update}. */
  int update(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    view.requireWritable();
    return changes.update(table, rowKey, image);
  }

  /** See {@link Transaction#delete}. */
  int delete(TableStore table, KeyBuffer rowKey) {
    view.requireWritable();
    return changes.delete(table, rowKey);
  }
}
