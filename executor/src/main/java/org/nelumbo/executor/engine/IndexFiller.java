package org.nelumbo.executor.engine;

import java.util.Arrays;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;

/** Fills a new secondary index from the rows that are there. */
final class IndexFiller {
  private IndexFiller() {}

  static void fill(Coordinator coordinator, IndexStore index) {
    Transaction transaction = coordinator.transaction();
    transaction.begin(Isolation.SNAPSHOT, true);
    try {
      TableScan scan = transaction.newTableScan();
      RowBuffer row = new RowBuffer();
      KeyBuffer key = new KeyBuffer();
      Outcome status = scan.open(index.table(), LockTable.READ);
      while (status == Outcome.OK && (status = scan.next(row)) == Outcome.OK) {
        index.encoder().build(row, key);
        index.requireFits(key.length);
        add(coordinator, index, key, scan.cvt());
      }
      scan.close();
      if (status != Outcome.NOT_FOUND) {
        throw transaction.failure(status);
      }
      if (index.schema().unique()) {
        checkUnique(transaction, index);
      }
    } finally {
      transaction.abort();
    }
  }

  private static void add(Coordinator coordinator, IndexStore index, KeyBuffer key, long cvt) {
    coordinator.context().changes().begin();
    int status =
        index
            .tree()
            .insert(
                coordinator.channel(),
                coordinator.allocator(),
                key.bytes,
                key.length,
                cvt,
                LeafGuard.NONE);
    coordinator.context().changes().end();
    if (status == IndexResult.EXHAUSTED) {
      throw coordinator.transaction().failure(Outcome.EXHAUSTED);
    }
  }

  /** Rows with one value lie side by side in the index. */
  private static void checkUnique(Transaction transaction, IndexStore index) {
    RangeScan scan = transaction.newRangeScan();
    RowBuffer row = new RowBuffer();
    KeyBuffer key = new KeyBuffer();
    KeyBuffer before = new KeyBuffer();
    int prefixBefore = -1;
    Outcome status = scan.open(new ScanRange().all(index));
    while (status == Outcome.OK && (status = scan.next(row)) == Outcome.OK) {
      int prefix = index.encoder().build(row, key);
      boolean same =
          prefix == prefixBefore && Arrays.equals(key.bytes, 0, prefix, before.bytes, 0, prefix);
      if (same && !index.encoder().hasNull(row.bytes, row.offset)) {
        throw new NelumboException(
            ErrorCode.UNIQUE_VIOLATION,
            "unique index "
                + index.schema().name()
                + " cannot be created: two rows have the same value");
      }
      before.copyFrom(key);
      prefixBefore = prefix;
    }
    scan.close();
  }
}
