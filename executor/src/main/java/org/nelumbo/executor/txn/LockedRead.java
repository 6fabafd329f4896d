package org.nelumbo.executor.txn;

import java.util.Arrays;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * The last row that a transaction read under its write lock: nobody else changes its CVT before the
 * transaction ends, so a write that follows need not read it again. Not thread-safe.
 */
final class LockedRead {
  /** Where the row's new version goes; filled in when it is read. */
  final VersionSlotPlan plan = new VersionSlotPlan();

  private final KeyBuffer key = new KeyBuffer();
  private TableStore table;
  private long cvt;
  private long readIn;

  /** Notes the row that was just read in the transaction of that generation. */
  void set(TableStore ofTable, KeyBuffer rowKey, long rowCvt, long generation) {
    table = ofTable;
    key.copyFrom(rowKey);
    cvt = rowCvt;
    readIn = generation;
  }

  /** Notes a row that is given by its image, which begins with its key. */
  void set(TableStore ofTable, RowBuffer image, long lotusKey, long rowCvt, long generation) {
    table = ofTable;
    key.clear();
    key.append(image.bytes, image.offset, ofTable.layout().keyLength(image.bytes, image.offset));
    key.lotusKey = lotusKey;
    cvt = rowCvt;
    readIn = generation;
  }

  void forget() {
    table = null;
  }

  /** Whether this is that row, read in that transaction. */
  boolean isOf(TableStore wanted, KeyBuffer rowKey, long generation) {
    return table == wanted
        && readIn == generation
        && key.lotusKey == rowKey.lotusKey
        && Arrays.equals(key.bytes, 0, key.length, rowKey.bytes, 0, rowKey.length);
  }

  long cvt() {
    return cvt;
  }
}
