package org.nelumbo.executor.index;

import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Snapshot;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.VersionReader;

/**
 * Enforces unique secondary indexes. A transaction that gives a unique value to a row, or takes it
 * away, holds the write lock of the value. Under this lock the set of rows with the value cannot
 * change, although other transactions may change other columns of these rows. The keys of these
 * rows are not locked; the rows are read at the current timestamp. Values that contain a NULL are
 * never equal (SQL).
 */
public final class UniqueCheck {
  private final Channel channel;
  private final Clock clock;
  private final ReadView view;
  private final KeyLocks locks;
  private final VersionReader reader;
  private final WriteSet writes;
  private final RowBuffer image = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();
  private final Snapshot present = new Snapshot();
  private LeafCursor cursor;

  public UniqueCheck(
      CoordinatorContext context,
      ReadView view,
      KeyLocks locks,
      VersionReader reader,
      WriteSet writes) {
    this.channel = context.channel();
    this.clock = context.clock();
    this.view = view;
    this.locks = locks;
    this.reader = reader;
    this.writes = writes;
  }

  /** Locks the value of an entry's key. Returns OK without a lock if the value contains a NULL. */
  Outcome lockValue(IndexStore index, KeyBuffer entryKey, RowBuffer row) {
    if (index.encoder().hasNull(row.bytes, row.offset)) {
      return Outcome.OK;
    }
    return locks.acquire(IndexValues.lockKey(index, entryKey), LockMode.WRITE);
  }

  /**
   * Locks the value and searches for another row with it. Returns OK, DUPLICATE, or the failure.
   */
  Outcome check(IndexStore index, KeyBuffer entryKey, RowBuffer row, long cvt) {
    if (index.encoder().hasNull(row.bytes, row.offset)) {
      return Outcome.OK;
    }
    Outcome status = lockValue(index, entryKey, row);
    return status == Outcome.OK ? look(index, entryKey, cvt) : status;
  }

  private Outcome look(IndexStore index, KeyBuffer entryKey, long cvt) {
    int prefix = index.encoder().prefixLength(entryKey);
    if (cursor == null || !cursor.isOf(index.tree())) {
      cursor = new LeafCursor(index.tree());
    }
    int found =
        cursor.seek(channel, entryKey.bytes, prefix, true, ScanDirection.ASCENDING, LeafGuard.NONE);
    while (found == IndexResult.OK) {
      for (int i = 0; i < cursor.count(); i++) {
        if (!IndexValues.hasPrefix(cursor, i, entryKey, prefix)) {
          return Outcome.OK;
        }
        long lotusKey = index.lotusKey(cursor.keyBytes(), cursor.keyOffset(i), cursor.keyLength(i));
        Outcome status =
            cursor.cvt(i) == cvt
                ? Outcome.OK
                : judge(index, lotusKey, cursor.cvt(i), entryKey, prefix);
        if (status != Outcome.OK) {
          return status;
        }
      }
      found = cursor.nextLeaf(channel);
    }
    return Outcome.OK;
  }

  /**
   * Checks a value that is already locked, and whose entries are known. Returns OK, DUPLICATE, or
   * the failure.
   */
  Outcome check(
      UniqueKeyReservations.Reservation reservation,
      IndexStore index,
      KeyBuffer entryKey,
      long cvt) {
    int prefix = index.encoder().prefixLength(entryKey);
    if (view.isOutlived()) {
      return look(index, entryKey, cvt); // the addresses in these entries may have been reused
    }
    Outcome status = Outcome.OK;
    for (int i = 0; i < reservation.count() && status == Outcome.OK; i++) {
      if (reservation.cvt(i) != cvt) {
        status = judge(index, reservation.lotusKey(i), reservation.cvt(i), entryKey, prefix);
      }
    }
    return status;
  }

  /**
   * Returns DUPLICATE if the row of an entry currently has the value, in the writes of this
   * transaction or otherwise in the pool; OK if not.
   */
  private Outcome judge(IndexStore index, long lotusKey, long cvt, KeyBuffer entryKey, int prefix) {
    int write = writes.findByAddress(lotusKey, cvt);
    if (write >= 0 && writes.lotusKey(write) == lotusKey) {
      if (!writes.isPresent(write)) {
        return Outcome.OK;
      }
      writes.view(write, image);
    } else {
      Outcome status = read(index.table(), lotusKey, cvt);
      if (status != Outcome.OK) {
        return status == Outcome.NOT_FOUND ? Outcome.OK : status;
      }
    }
    index.encoder().build(image, key);
    boolean taken =
        key.length >= prefix
            && java.util.Arrays.equals(key.bytes, 0, prefix, entryKey.bytes, 0, prefix);
    return taken ? Outcome.DUPLICATE : Outcome.OK;
  }

  /**
   * Reads the row at the current timestamp into {@link #image}. Returns OK, NOT_FOUND, or the
   * failure.
   */
  private Outcome read(TableStore table, long lotusKey, long cvt) {
    int mark = channel.mark();
    // Contains the commit of the previous holder of the value's lock; not older than the pin.
    clock.read(channel, present);
    int offset = reader.readCvt(table, cvt);
    Outcome status = Outcome.NOT_FOUND;
    // Otherwise the entry is stale and its memory has been reused.
    if (CvtLayout.lotusKey(channel.staging(), offset) == lotusKey) {
      status = reader.readVisible(cvt, offset, table.cvtBytes(), table.versions(), present);
      if (status == Outcome.OK) {
        reader.copyImage(image, table.layout().leastImageBytes());
      }
    }
    channel.release(mark);
    return status;
  }
}
