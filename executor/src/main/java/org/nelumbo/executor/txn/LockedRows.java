package org.nelumbo.executor.txn;

import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.VersionSlotPlan;

/** Rows that were read under their write locks and can be changed without being read again. */
interface LockedRows {
  /** Returns the index of a row that was read in the present transaction; -1 if it was not. */
  int find(TableStore table, KeyBuffer key);

  /** Points {@code out} at row {@code i}. */
  void row(int i, RowBuffer out);

  long cvt(int i);

  VersionSlotPlan plan(int i);
}
