package org.nelumbo.executor.txn;

import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.VersionSlotPlan;

/** Rows that were read under their write locks, and need not be read again to be changed. */
interface LockedRows {
  /** The index of a row, if it was read in the present transaction; else -1. */
  int find(TableStore table, KeyBuffer key);

  /** Shows row {@code i}. */
  void row(int i, RowBuffer out);

  long cvt(int i);

  VersionSlotPlan plan(int i);
}
