package org.nelumbo.executor.txn;

import org.nelumbo.dm.index.hash.HashCursor;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.CvtSample;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.CvtBatch;
import org.nelumbo.executor.version.ReadView;

/**
 * A scan of all rows of a table: through the ordered primary index if there is one, else through
 * the hash index, in no particular order. A locking scan through the hash index holds the table's
 * scan lock, which blocks inserts, since there are no leaves to lock. Reusable; not thread-safe.
 */
public final class TableScan {
  private final Channel channel;
  private final KeyLocks locks;
  private final WriteSet writes;
  private final CancellationToken cancellation;
  private final ReadView view;
  private final RangeScan ordered;
  private final ScanRange orderedRange = new ScanRange();
  private final CvtBatch batch;
  private final long[] cvts = new long[CvtBatch.CAPACITY];

  private TableStore table;

  private boolean isOrdered;

  private HashCursor cursor;

  /** Null for a scan of all rows. */
  private CvtSample sample;

  private LockMode lockMode;
  private boolean locked;
  private final long[] lockKeys = new long[CvtBatch.CAPACITY];
  private int foundCount;
  private int foundPosition;
  private int batchCount;
  private int batchPosition;
  private long openedIn = -1;

  TableScan(TransactionContext context, RangeScan ordered) {
    this.ordered = ordered;
    this.view = context.view;
    this.channel = context.coordinator.channel();
    this.locks = context.locks;
    this.writes = context.writes;
    this.cancellation = context.cancellation;
    this.batch = context.newCvtBatch(_ -> null);
  }

  /** Starts a scan. Returns OK or the failure. */
  public Outcome open(TableStore of, LockMode mode) {
    if (of.primary() == null) {
      return openByHash(of, mode);
    }
    close();
    table = of;
    isOrdered = true;
    return ordered.open(orderedRange.all(table.primary()).lockMode(mode));
  }

  /**
   * Starts a scan through the hash index, even if there is an ordered index. Returns OK or the
   * failure.
   */
  public Outcome openByHash(TableStore of, LockMode mode) {
    close();
    table = of;
    isOrdered = false;
    lockMode = mode;
    view.beginLongCall();
    locked = view.locksReads(mode);
    if (view.locksLeaves(locked)) {
      Outcome status = locks.acquire(table.scanLockKey(), LockMode.READ);
      if (status != Outcome.OK) {
        return status;
      }
    }
    sample = null;
    cursor = table.hash().newCursor();
    begin();
    return Outcome.OK;
  }

  /**
   * Starts a scan of a random sample of the rows, each at most once, in a transaction that reads a
   * snapshot.
   */
  public void openSample(TableStore of) {
    close();
    table = of;
    isOrdered = false;
    locked = false;
    sample = of.newSample();
    begin();
  }

  private void begin() {
    view.pin();
    openedIn = view.generation();
    foundCount = 0;
    foundPosition = 0;
    batchCount = 0;
    batchPosition = 0;
  }

  /**
   * Reads the next row. Returns OK, NOT_FOUND at the end, or the failure. {@code out} is a view
   * that is valid until the next call.
   */
  public Outcome next(RowBuffer out) {
    if (isOrdered) {
      return ordered.next(out);
    }
    while (true) {
      while (batchPosition < batchCount) {
        if (show(batchPosition++, out)) {
          return Outcome.OK;
        }
      }
      Outcome status = fill();
      if (status != Outcome.OK) {
        close();
        return status;
      }
    }
  }

  /** Returns the address of the CVT of the last row returned. */
  public long cvt() {
    return isOrdered ? ordered.cvt() : cvts[batchPosition - 1];
  }

  private boolean show(int i, RowBuffer out) {
    int write = writes.findByAddress(batch.lotusKey(i), cvts[i]);
    if (write >= 0) {
      writes.view(write, out);
      return writes.isPresent(write);
    }
    if (batch.isPresent(i)) {
      batch.view(i, out);
      return true;
    }
    return false;
  }

  private Outcome fill() {
    if (cancellation.isSet()) {
      return Outcome.CANCELLED;
    }
    while (foundPosition == foundCount) {
      foundPosition = 0;
      foundCount = sample == null ? cursor.next(channel) : sample.next(channel);
      if (foundCount == 0) {
        return view.checkAge() == Outcome.OK ? Outcome.NOT_FOUND : Outcome.TOO_OLD;
      }
    }
    if (view.isOutlived()) {
      return Outcome.TOO_OLD; // addresses in these entries may have been reused
    }
    batchPosition = 0;
    batchCount = Math.min(foundCount - foundPosition, CvtBatch.CAPACITY);
    for (int i = 0; i < batchCount; i++) {
      int found = foundPosition + i;
      cvts[i] = sample == null ? cursor.cvt(found) : sample.cvt(found);
    }
    foundPosition += batchCount;
    if (locked) {
      return fetchLocked();
    }
    batch.prefetch(table, cvts, batchCount);
    return batch.fetch(table, cvts, batchCount, null, null, null);
  }

  private Outcome fetchLocked() {
    batch.readLotusKeys(cvts, batchCount);
    if (view.isOutlived()) {
      return Outcome.TOO_OLD;
    }
    for (int i = 0; i < batchCount; i++) {
      lockKeys[i] = batch.lotusKey(i);
    }
    batch.prefetch(table, cvts, batchCount);
    return batch.fetch(table, cvts, batchCount, lockKeys, lockMode, null);
  }

  /** Ends the scan. Has no effect if it has ended. */
  public void close() {
    ordered.close();
    if (openedIn == view.generation()) {
      view.unpin();
    }
    openedIn = -1;
    batchCount = 0;
    batchPosition = 0;
    foundCount = 0;
    foundPosition = 0;
  }
}
