package org.nelumbo.executor.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.EntryRun;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;

/**
 * Fills a new secondary index from the existing rows. Sorts many entries before it inserts them,
 * since entries of one leaf share its round trips.
 */
final class IndexFiller {
  /**
   * Estimated memory of the entries that are sorted together; an entry counts at least {@link
   * #ENTRY_BYTES}.
   */
  private static final int SORTED_BYTES = 16 << 20;

  private static final int ENTRY_BYTES = 64;

  /** Number of entries that are inserted between two checks for cancellation. */
  private static final int RUN = 1024;

  private final Coordinator coordinator;
  private final IndexStore index;
  private final List<Entry> entries = new ArrayList<>();
  private final EntryRun run = new EntryRun();
  private int bytes;

  private record Entry(byte[] key, long cvt) {}

  private IndexFiller(Coordinator coordinator, IndexStore index) {
    this.coordinator = coordinator;
    this.index = index;
  }

  static void fill(Coordinator coordinator, IndexStore index) {
    new IndexFiller(coordinator, index).fill();
  }

  private void fill() {
    Transaction transaction = coordinator.transaction();
    transaction.begin(Isolation.SNAPSHOT, true);
    try {
      TableScan scan = transaction.newTableScan();
      RowBuffer row = new RowBuffer();
      KeyBuffer key = new KeyBuffer();
      Outcome status = scan.open(index.table(), LockMode.READ);
      while (status == Outcome.OK && (status = scan.next(row)) == Outcome.OK) {
        index.encoder().build(row, key);
        index.requireFits(key.length);
        add(key, scan.cvt());
      }
      scan.close();
      if (status != Outcome.NOT_FOUND) {
        throw transaction.failure(status);
      }
      insertAll();
      if (index.schema().unique()) {
        checkUnique(transaction);
      }
    } finally {
      transaction.abort();
    }
  }

  private void add(KeyBuffer key, long cvt) {
    entries.add(new Entry(Arrays.copyOf(key.bytes, key.length), cvt));
    bytes += ENTRY_BYTES + key.length;
    if (bytes >= SORTED_BYTES) {
      insertAll();
    }
  }

  private void insertAll() {
    entries.sort((left, right) -> Arrays.compareUnsigned(left.key, right.key));
    for (int from = 0; from < entries.size(); from += RUN) {
      Transaction transaction = coordinator.transaction();
      if (transaction.cancellation().isSet()) {
        throw transaction.failure(Outcome.CANCELLED);
      }
      run.clear();
      entries
          .subList(from, Math.min(from + RUN, entries.size()))
          .forEach(entry -> run.add(entry.key, entry.key.length, entry.cvt));
      insertRun();
    }
    entries.clear();
    bytes = 0;
  }

  private void insertRun() {
    coordinator.context().changes().begin();
    int status =
        index.tree().insertAll(coordinator.channel(), coordinator.allocator(), run, LeafGuard.NONE);
    coordinator.context().changes().end();
    if (status == IndexResult.EXHAUSTED) {
      throw coordinator.transaction().failure(Outcome.EXHAUSTED);
    }
  }

  /** Rows with one value are adjacent in the index. */
  private void checkUnique(Transaction transaction) {
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
