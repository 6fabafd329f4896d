package org.nelumbo.executor.index;

import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.lock.LockAcquirer;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.version.VersionReader;

/**
 * Enforces unique secondary indexes. A transaction that gives a row a unique value, or takes it
 * away, holds the write lock of that value; so under the lock the value's rows are settled, whoever
 * changes their other columns, and reading their newest versions decides. Values with a NULL are
 * never equal (SQL).
 */
public final class UniqueCheck {
  private final Channel channel;
  private final LockAcquirer locks;
  private final VersionReader reader;
  private final WriteSet writes;
  private final RowBuffer image = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();
  private LeafCursor cursor;

  public UniqueCheck(Channel channel, LockAcquirer locks, VersionReader reader, WriteSet writes) {
    this.channel = channel;
    this.locks = locks;
    this.reader = reader;
    this.writes = writes;
  }

  /** Locks the value of an entry key; OK without a lock if it holds a NULL. */
  Outcome lockValue(IndexStore index, KeyBuffer entryKey, RowBuffer row) {
    if (index.encoder().hasNull(row.bytes, row.offset)) {
      return Outcome.OK;
    }
    return locks.acquire(UniqueValues.lockKey(index, entryKey), LockTable.WRITE);
  }

  /**
   * Locks the value and looks for another row that has it: OK, DUPLICATE, CONFLICT or CANCELLED.
   */
  Outcome check(IndexStore index, KeyBuffer entryKey, RowBuffer row, long cvt) {
    if (index.encoder().hasNull(row.bytes, row.offset)) {
      return Outcome.OK;
    }
    Outcome status = lockValue(index, entryKey, row);
    return status == Outcome.OK ? look(index, entryKey, cvt) : status;
  }

  private Outcome look(IndexStore index, KeyBuffer entryKey, long cvt) {
    int prefix = index.encoder().prefixLength(entryKey.bytes, 0);
    if (cursor == null || !cursor.isOf(index.tree())) {
      cursor = new LeafCursor(index.tree());
    }
    int found =
        cursor.seek(channel, entryKey.bytes, prefix, true, ScanDirection.ASCENDING, LeafGuard.NONE);
    while (found == IndexResult.OK) {
      for (int i = 0; i < cursor.count(); i++) {
        if (!UniqueValues.hasPrefix(cursor, i, entryKey, prefix)) {
          return Outcome.OK;
        }
        long lotusKey = index.lotusKey(cursor.keyBytes(), cursor.keyOffset(i), cursor.keyLength(i));
        if (cursor.cvt(i) != cvt && isTaken(index, lotusKey, cursor.cvt(i), entryKey, prefix)) {
          return Outcome.DUPLICATE;
        }
      }
      found = cursor.nextLeaf(channel);
    }
    return Outcome.OK;
  }

  /** Checks a value that is locked, and whose entries are known: OK or DUPLICATE. */
  Outcome check(
      UniqueKeyReservations.Reservation reservation,
      IndexStore index,
      KeyBuffer entryKey,
      long cvt) {
    int prefix = index.encoder().prefixLength(entryKey.bytes, 0);
    for (int i = 0; i < reservation.count(); i++) {
      if (reservation.cvt(i) != cvt
          && isTaken(index, reservation.lotusKey(i), reservation.cvt(i), entryKey, prefix)) {
        return Outcome.DUPLICATE;
      }
    }
    return Outcome.OK;
  }

  /**
   * Whether the row to which an entry leads now has the value: in this transaction's writes, else
   * in its newest version.
   */
  private boolean isTaken(
      IndexStore index, long lotusKey, long cvt, KeyBuffer entryKey, int prefix) {
    int write = writes.findByAddress(lotusKey, cvt);
    boolean exists;
    if (write >= 0 && writes.lotusKey(write) == lotusKey) {
      exists = writes.isPresent(write);
      writes.view(write, image);
    } else {
      exists = readNewest(index, lotusKey, cvt);
    }
    if (!exists) {
      return false;
    }
    index.encoder().build(image, key);
    return key.length >= prefix
        && java.util.Arrays.equals(key.bytes, 0, prefix, entryKey.bytes, 0, prefix);
  }

  /** Makes the row's newest version the image; false if there is none. */
  private boolean readNewest(IndexStore index, long lotusKey, long cvt) {
    int mark = channel.mark();
    int offset = reader.readCvt(index.table(), cvt);
    // else it is a stale entry, and the memory is used for something else
    boolean exists =
        CvtLayout.lotusKey(channel.staging(), offset) == lotusKey
            && reader.chooseNewest(offset, index.table().versions())
            && !reader.isDeleted();
    if (exists) {
      reader.readRecord();
      reader.copyImage(image);
    }
    channel.release(mark);
    return exists;
  }
}
