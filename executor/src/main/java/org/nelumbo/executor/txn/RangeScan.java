package org.nelumbo.executor.txn;

import java.util.Arrays;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.index.IndexValues;
import org.nelumbo.executor.index.PendingEntries;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.version.CvtBatch;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.VersionReader;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * A scan of the rows in a key range of an ordered index, in either direction. Reusable; not
 * thread-safe.
 *
 * <p>The entries of a leaf are processed in batches that grow from the caller's hint: {@code LIMIT
 * 1} reads one row, and a long scan costs one or two round trips for each 64 rows ({@link
 * CvtBatch}).
 *
 * <p>Locking reads (serializable read-write transactions) lock each leaf before its entries are
 * used, or the one value that all entries share ({@link IndexValues}), and each row before its
 * version is read. Other reads see the snapshot. Entries are hints: a row of a secondary index
 * counts only if its image has the entry's key.
 */
public final class RangeScan {
  private static final int MAX_BATCH = CvtBatch.CAPACITY;
  private static final int UNKNOWN = -1;
  private static final byte[] NO_BOUND = {};
  private static final byte[] ZERO = {0};

  private final RowOperations rowOperations;
  private final Channel channel;
  private final KeyLocks locks;
  private final WriteSet writes;
  private final PendingEntries pendingEntries;
  private final TransactionReadCache cache;
  private final CancellationToken cancellation;
  private final ReadView view;
  private final CvtBatch batch;
  private final long[] lockKeys = new long[CvtBatch.CAPACITY];

  /** Slot plans for later changes of the rows; null unless the rows are read to be changed. */
  private VersionSlotPlan[] plans;

  private final long[] cvts = new long[MAX_BATCH];
  private final int[] entries = new int[MAX_BATCH];
  private final KeyBuffer stop = new KeyBuffer();
  private final KeyBuffer entryKey = new KeyBuffer();
  private final ScanRange prefixRange = new ScanRange();

  private ScanRange whole;

  private IndexStore index;
  private LeafCursor cursor;
  private boolean ascending;
  private boolean stopInclusive;
  private LockMode lockMode;
  private boolean locked;
  private boolean planned;
  private int batchLimit;

  private int leafPosition;

  /** Number of entries of the leaf that are in the range; {@link #UNKNOWN} for a new leaf. */
  private int leafEnd;

  /** Number of entries of the leaf whose rows are prefetched. */
  private int prefetched;

  /** Entries of the next batch end here; their rows are prefetched while this batch is returned. */
  private int prefetchEnd;

  /** Number of rows to prefetch for each row that is returned. */
  private int prefetchStep;

  private boolean lastBatch;
  private int batchCount;
  private int batchPosition;
  private long openedIn = -1;

  RangeScan(TransactionContext context, RowOperations rowOperations) {
    this.rowOperations = rowOperations;
    this.view = context.view;
    this.channel = context.coordinator.channel();
    this.locks = context.locks;
    this.writes = context.writes;
    this.pendingEntries = context.pendingEntries;
    this.cache = context.cache;
    this.cancellation = context.cancellation;
    this.batch = context.newCvtBatch(this::primaryKey);
  }

  /** Starts a scan. Returns OK or the failure. */
  public Outcome open(ScanRange range) {
    close();
    boolean isShortened = range.index.shortens(range.low, range.high);
    whole = isShortened ? whole(range) : null;
    return openEntries(isShortened ? shortened(range) : range);
  }

  /** Returns the range of rows in the form {@code low <= key < high}. */
  private static ScanRange whole(ScanRange range) {
    ScanRange whole = new ScanRange().between(range.index, range.low, range.high);
    if (range.highInclusive && whole.high.length > 0) {
      whole.high.append(ZERO, 0, 1); // the least greater key
    }
    return whole;
  }

  /** Returns a range of entries that covers all of the rows, and perhaps some others. */
  private ScanRange shortened(ScanRange range) {
    ScanRange shortened = new ScanRange().between(range.index, whole.low, whole.high);
    shortened.direction(range.direction).lockMode(range.lockMode).rowsHint(range.rowsHint);
    range.index.encoder().shortenBounds(shortened.low, shortened.high);
    return shortened;
  }

  private Outcome openEntries(ScanRange range) {
    KeyBuffer low = range.low;
    KeyBuffer high = range.high;
    begin(range);
    Outcome status =
        pendingEntries.flushRange(index, low.bytes, low.length, high.bytes, high.length);
    if (status != Outcome.OK) {
      close();
      return status;
    }
    if (!view.locksLeaves(locked)) {
      return seek(range, LeafGuard.NONE);
    }
    long value = range.highInclusive ? IndexValues.NONE : IndexValues.lockKey(index, low, high);
    return value == IndexValues.NONE ? seek(range, locks.leafGuard()) : openValue(range, value);
  }

  private Outcome seek(ScanRange range, LeafGuard guard) {
    KeyBuffer start = ascending ? range.low : range.high;
    boolean startInclusive = ascending || range.highInclusive;
    return reply(
        cursor.seek(channel, start.bytes, start.length, startInclusive, range.direction, guard));
  }

  /**
   * Locks the value instead of leaves. If the entries span several leaves, gives that lock back and
   * locks leaves: the scan may end before the last leaf, and then does not block transactions that
   * add entries there.
   */
  private Outcome openValue(ScanRange range, long value) {
    boolean known = locks.holdsKey(value);
    int before = locks.count();
    Outcome status = locks.acquire(value, LockMode.READ);
    if (status != Outcome.OK) {
      return status;
    }
    if (!known) {
      cache.forgetLeaves(index.tree()); // they were read before the lock
    }
    status = seek(range, LeafGuard.NONE);
    if (locks.count() == before || cursor.reaches(stop.bytes, stop.length, stopInclusive)) {
      return status;
    }
    locks.giveBackLast();
    return seek(range, locks.leafGuard());
  }

  private void begin(ScanRange range) {
    IndexStore of = range.index;
    if (index != of) {
      index = of;
      cursor = new LeafCursor(of.tree());
      cache.attach(cursor);
    }
    ascending = range.direction == ScanDirection.ASCENDING;
    lockMode = range.lockMode;
    view.beginLongCall();
    locked = view.locksReads(lockMode);
    planned = locked && lockMode == LockMode.WRITE && of.table().indexes().length == 0;
    if (planned && plans == null) {
      plans = new VersionSlotPlan[MAX_BATCH];
      Arrays.setAll(plans, _ -> new VersionSlotPlan());
    }
    batchLimit = range.rowsHint == 0 ? 8 : Math.min(range.rowsHint, MAX_BATCH);
    stop.copyFrom(ascending ? range.high : range.low);
    stopInclusive = !ascending || range.highInclusive;
    view.pin();
    openedIn = view.generation();
    lastBatch = false;
    batchCount = 0;
    batchPosition = 0;
    startLeaf();
  }

  private void startLeaf() {
    leafPosition = 0;
    leafEnd = UNKNOWN;
    prefetched = 0;
    prefetchEnd = 0;
  }

  /**
   * Starts a scan of all entries whose keys begin with {@code prefix}, see {@link
   * ScanRange#prefix}. Returns OK or the failure.
   *
   * @param rowsHint number of rows that the caller expects to take; 0 if unknown
   */
  public Outcome openPrefix(
      IndexStore of, KeyBuffer prefix, ScanDirection direction, LockMode mode, int rowsHint) {
    prefixRange.prefix(of, prefix).direction(direction).lockMode(mode).rowsHint(rowsHint);
    return open(prefixRange);
  }

  private Outcome reply(int found) {
    if (found == IndexResult.CONFLICT) {
      return locks.failure();
    }
    if (found == IndexResult.END) {
      lastBatch = true;
    }
    return Outcome.OK;
  }

  /**
   * Reads the next row. Returns OK, NOT_FOUND at the end, or the failure. {@code out} is a view
   * that is valid until the next call.
   */
  public Outcome next(RowBuffer out) {
    while (true) {
      while (batchPosition < batchCount) {
        if (prefetched < prefetchEnd) {
          prefetchTo(Math.min(prefetched + prefetchStep, prefetchEnd));
        }
        if (show(batchPosition++, out)) {
          return Outcome.OK;
        }
      }
      if (lastBatch) {
        close();
        // Entries of rows that the snapshot sees may have been removed from the leaves.
        return view.checkAge() == Outcome.OK ? Outcome.NOT_FOUND : Outcome.TOO_OLD;
      }
      Outcome status = fill();
      if (status != Outcome.OK) {
        close();
        return status;
      }
    }
  }

  /** Returns the address of the CVT of the last row returned. */
  long cvt() {
    return cvts[batchPosition - 1];
  }

  private boolean show(int i, RowBuffer out) {
    int write = writes.findByAddress(batch.lotusKey(i), cvts[i]);
    if (write >= 0) {
      if (!writes.isPresent(write)) {
        return false;
      }
      writes.view(write, out);
    } else if (batch.isPresent(i)) {
      batch.view(i, out);
      if (planned) {
        rowOperations.noteLocked(index.table(), out, lockKeys[i], cvts[i], plans[i]);
      }
    } else {
      return false;
    }
    if (index.isPrimary()) {
      checkEntryKey(i, out);
      return true;
    }
    return hasEntryKey(i, out) || isStale(i, out);
  }

  /** Rows of the primary index begin with the key of their entry. */
  private void checkEntryKey(int i, RowBuffer row) {
    int from = cursor.keyOffset(entries[i]);
    int length = cursor.keyLength(entries[i]);
    if (row.length < length
        || !Arrays.equals(
            cursor.keyBytes(), from, from + length, row.bytes, row.offset, row.offset + length)) {
      throw VersionReader.anotherRow(cvts[i]);
    }
  }

  /** The entry belongs to another version of the row. Throws if the row is damaged. */
  private boolean isStale(int i, RowBuffer row) {
    VersionReader.checkKey(index.table(), batch.lotusKey(i), row, cvts[i]);
    return false;
  }

  private boolean hasEntryKey(int i, RowBuffer row) {
    int entry = entries[i];
    if (whole != null && !index.encoder().isWithin(row, whole.low, whole.high, entryKey)) {
      return false;
    }
    return index
        .encoder()
        .matches(
            cursor.keyBytes(), cursor.keyOffset(entry), cursor.keyLength(entry), row, entryKey);
  }

  private Outcome fill() {
    if (cancellation.isSet()) {
      return Outcome.CANCELLED;
    }
    batchPosition = 0;
    batchCount = 0;
    while (leafPosition == cursor.count()) {
      if (cursor.reaches(stop.bytes, stop.length, stopInclusive)) {
        lastBatch = true;
        return Outcome.OK;
      }
      Outcome status = settle();
      if (status != Outcome.OK) {
        return status;
      }
      int found = cursor.nextLeaf(channel);
      startLeaf();
      if (found != IndexResult.OK) {
        return reply(found);
      }
    }
    if (leafEnd == UNKNOWN) {
      leafEnd = countInRange();
    }
    while (batchCount < batchLimit && leafPosition < leafEnd) {
      entries[batchCount] = leafPosition;
      cvts[batchCount++] = cursor.cvt(leafPosition++);
    }
    lastBatch = leafPosition == leafEnd && leafEnd < cursor.count();
    batchLimit = Math.min(batchLimit * 2, MAX_BATCH);
    if (batchCount == 0) {
      return Outcome.OK;
    }
    prefetchTo(leafPosition);
    prefetchEnd = Math.min(leafEnd, leafPosition + batchLimit);
    prefetchStep = Math.ceilDiv(prefetchEnd - leafPosition, batchCount);
    return read();
  }

  private int countInRange() {
    int low = 0;
    int high = cursor.count();
    if (high == 0 || !isBeyond(high - 1)) {
      return high;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBeyond(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The flushed entries may belong to the next leaf. */
  private Outcome settle() {
    return ascending
        ? pendingEntries.flushRange(index, NO_BOUND, 0, stop.bytes, stop.length)
        : pendingEntries.flushRange(index, stop.bytes, stop.length, NO_BOUND, 0);
  }

  private void prefetchTo(int end) {
    while (prefetched < end) {
      channel.prefetch(cursor.cvt(prefetched++), index.table().rowBytes());
    }
  }

  private boolean isBeyond(int entry) {
    if (stop.length == 0) {
      return false;
    }
    int order = cursor.compareKey(entry, stop.bytes, stop.length);
    return ascending
        ? order > 0 || (order == 0 && !stopInclusive)
        : order < 0 || (order == 0 && !stopInclusive);
  }

  private Outcome read() {
    assert view.isPinned() : "follows addresses without a pinned epoch";
    boolean byKey = locked || !index.isPrimary() || cache.records().isOpen();
    if (byKey) {
      findKeys();
    }
    LockMode mode = locked ? lockMode : null;
    return batch.fetch(
        index.table(), cvts, batchCount, byKey ? lockKeys : null, mode, planned ? plans : null);
  }

  /** Returns the primary key in an entry of the batch; null if the entry has only a part of it. */
  private KeyBuffer primaryKey(int i) {
    int offset = cursor.keyOffset(entries[i]);
    return index.primaryKey(cursor.keyBytes(), offset, cursor.keyLength(entries[i]), entryKey)
        ? entryKey
        : null;
  }

  private void findKeys() {
    for (int i = 0; i < batchCount; i++) {
      int entry = entries[i];
      lockKeys[i] =
          index.lotusKey(cursor.keyBytes(), cursor.keyOffset(entry), cursor.keyLength(entry));
    }
    for (int i = 0; locked && i < batchCount; i++) {
      locks.prefetch(lockKeys[i]);
    }
  }

  /** Ends the scan; the transaction keeps its locks. Has no effect if the scan has ended. */
  public void close() {
    if (openedIn == view.generation()) {
      view.unpin();
    }
    openedIn = -1;
    batchCount = 0;
    batchPosition = 0;
    lastBatch = true;
  }
}
