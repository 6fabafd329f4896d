package org.nelumbo.executor.readahead;

import java.util.Arrays;
import java.util.function.Supplier;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.PrefetchedLeaves;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.RecordReadCache;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.index.IndexValues;
import org.nelumbo.executor.index.PendingEntries;
import org.nelumbo.executor.index.PrefetchCursors;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.CvtBatch;
import org.nelumbo.executor.version.ReadView;

/**
 * Reads ahead the ranges and rows that an operation of the current transaction is going to read one
 * after the other. The number of round trips does not grow with the number of ranges and rows:
 *
 * <ol>
 *   <li>One round trip reads the first leaves of all ranges.
 *   <li>Up to three more read the second to fourth leaves of the ranges that continue.
 *   <li>The CVTs of all rows are read together, then their records.
 * </ol>
 *
 * <p>Results never depend on the read-ahead. Each scan and each get runs as it would without it,
 * and finds the data in caches: leaves in {@link PrefetchedLeaves}, CVTs in the cache of the
 * compute node, records in {@link RecordReadCache}. Missing data (changed in the meantime, or
 * without room in a cache) is read by the operation that needs it. Only leaves, or the values of
 * ranges, are locked ahead, if scans lock them: the content of a leaf is valid from its lock on.
 * Rows are locked by the operations that read them.
 *
 * <p>Order of calls: {@link #add}; {@link #fetch} until everything is {@link #covered}, in order;
 * {@link #clear} and add again; {@link #close}. Not thread-safe.
 */
public final class ReadAhead {
  private static final byte[] ZERO = {0};
  private static final int ROUNDS = 4;
  private static final int CAPACITY = 1024;

  private static final int ROWS = RowPrefetch.CAPACITY;

  /**
   * Number of rows in the first fetch: few, because the reader may stop early. It doubles up to
   * {@link #MOST_ROWS}.
   */
  private static final int FIRST_ROWS = 256;

  private static final int MOST_ROWS = 1024;

  private final KeyLocks locks;
  private final PendingEntries pendingEntries;
  private final Supplier<RowPrefetch> prefetch;
  private final ReadView view;
  private final Channel channel;
  private final PrefetchedLeaves leaves;
  private final RecordReadCache records;
  private final PrefetchCursors cursors;

  private final KeyBuffer above = new KeyBuffer();
  private PrefetchRange[] ranges = new PrefetchRange[16];
  private int size;
  private int covered;

  private final TableStore[] tables = new TableStore[ROWS];
  private final long[] lotusKeys = new long[ROWS];
  private final long[] cvts = new long[ROWS];

  private int rows;

  private int rowsLeft;

  private int rowsLimit;

  /** Generation of the transaction in which memory is reserved for the read-ahead, or -1. */
  private long openedIn = -1;

  private int leavesBefore;

  /**
   * Creates an empty list.
   *
   * @param prefetch supplies the row prefetch, when there are rows to read
   * @throws IllegalStateException on a local fabric
   */
  public ReadAhead(
      CoordinatorContext context,
      KeyLocks locks,
      ReadView view,
      TransactionReadCache cache,
      PendingEntries pendingEntries,
      Supplier<RowPrefetch> prefetch) {
    this.channel = context.channel();
    this.locks = locks;
    this.view = view;
    this.leaves = cache.leaves();
    this.cursors = new PrefetchCursors(leaves);
    this.records = cache.records();
    this.pendingEntries = pendingEntries;
    this.prefetch = prefetch;
  }

  /** Starts again with an empty list and a small first fetch. */
  public void open() {
    close();
    rowsLimit = FIRST_ROWS;
  }

  /** Returns the number of ranges and rows. */
  public int size() {
    return size;
  }

  /** Returns the number of ranges and rows that have been fetched: the first ones of the list. */
  public int covered() {
    return covered;
  }

  /** Returns true if no more ranges or rows should be added. */
  public boolean isFull() {
    return size >= CAPACITY;
  }

  /**
   * Adds a row by its complete primary key, unless it was also the last one added. A row of a table
   * without a hash index is read as a range of one row.
   */
  public void add(TableStore table, KeyBuffer key) {
    if (table.hash() == null) {
      above.copyFrom(key);
      above.append(ZERO, 0, 1); // the least greater key
      if (size == 0 || !ranges[size - 1].endsAt(table.primary(), above)) {
        next().setRange(table.primary(), key, above, true, false, 1);
      }
    } else if (size == 0 || !ranges[size - 1].isRow(table, key.lotusKey)) {
      next().setRow(table, key.lotusKey);
    }
  }

  /**
   * Adds a range {@code low <= key < high} of an index; an empty bound is open.
   *
   * @param lockMode lock mode of the scan
   * @param most number of rows of the range that are worth reading ahead
   */
  public void add(
      IndexStore index,
      KeyBuffer low,
      KeyBuffer high,
      boolean ascending,
      LockMode lockMode,
      int most) {
    boolean locks = view.locksLeaves(view.locksReads(lockMode));
    next().setRange(index, low, high, ascending, locks, Math.min(most, CvtBatch.CAPACITY));
  }

  private PrefetchRange next() {
    if (size == ranges.length) {
      ranges = Arrays.copyOf(ranges, size * 2);
    }
    if (ranges[size] == null) {
      ranges[size] = new PrefetchRange();
    }
    return ranges[size++];
  }

  /**
   * Reads the next ranges and rows, at least one and as many as memory permits. Returns OK, or the
   * reason why a leaf could not be locked.
   */
  public Outcome fetch() {
    enter();
    if (covered == 0) {
      leavesBefore = leaves.size();
    }
    rowsLeft = rowsLimit;
    rowsLimit = Math.min(MOST_ROWS, 2 * rowsLimit);
    int from = covered;
    Outcome status = settle(from);
    status = status == Outcome.OK ? lockValues(from) : status;
    if (status == Outcome.OK) {
      status = readLeaves(from, size);
    }
    while (status == Outcome.OK && covered < size && rowsLeft > 0) {
      collect(ranges[covered++]);
    }
    for (int round = 1; round < ROUNDS && status == Outcome.OK && rowsLeft > 0; round++) {
      status = readLeaves(from, covered);
      for (int i = from; i < covered && rowsLeft > 0; i++) {
        collectRange(ranges[i]);
      }
    }
    readRows();
    return status;
  }

  /** Adds the pending entries of the transaction to their leaves, before the leaves are read. */
  private Outcome settle(int from) {
    Outcome status = Outcome.OK;
    for (int i = from; i < size && status == Outcome.OK; i++) {
      if (ranges[i].index != null) {
        KeyBuffer low = ranges[i].ascending ? ranges[i].bound : ranges[i].stop;
        KeyBuffer high = ranges[i].ascending ? ranges[i].stop : ranges[i].bound;
        status =
            pendingEntries.flushRange(
                ranges[i].index, low.bytes, low.length, high.bytes, high.length);
      }
    }
    return status;
  }

  private void enter() {
    if (openedIn != view.generation()) {
      openedIn = view.generation();
      view.pin();
      records.open();
    }
  }

  private Outcome readLeaves(int from, int to) {
    Outcome status = lockLeaves(from, to);
    if (status != Outcome.OK) {
      return status;
    }
    int mark = channel.mark();
    for (int i = from; i < to; i++) {
      PrefetchRange range = ranges[i];
      if (range.goesOn
          && !leaves.post(channel, range.index.tree(), range.leaf, range.locksLeaves)) {
        range.goesOn = false;
      }
    }
    if (leaves.isPosted()) {
      channel.flush();
      leaves.accept(channel);
    }
    channel.release(mark);
    return Outcome.OK;
  }

  private Outcome lockValues(int from) {
    Outcome status = Outcome.OK;
    for (int i = from; i < size && status == Outcome.OK; i++) {
      long value = ranges[i].index == null ? IndexValues.NONE : ranges[i].value;
      if (value != IndexValues.NONE) {
        if (!locks.holdsKey(value)) {
          leaves.forget(ranges[i].index.tree()); // leaves read before the lock
        }
        status = locks.addAhead(value, LockMode.READ);
      }
    }
    status = status == Outcome.OK ? locks.finishAhead() : status;
    for (int i = from; i < size && status == Outcome.OK; i++) {
      if (ranges[i].index != null && ranges[i].value != IndexValues.NONE) {
        status = locks.acquire(ranges[i].value, LockMode.READ);
      }
    }
    return status;
  }

  private Outcome lockLeaves(int from, int to) {
    Outcome status = Outcome.OK;
    for (int i = from; i < to && status == Outcome.OK; i++) {
      if (ranges[i].goesOn) {
        locate(ranges[i]);
        status = ranges[i].locksLeaves ? locks.addAhead(ranges[i].leaf, LockMode.READ) : status;
      }
    }
    status = status == Outcome.OK ? locks.finishAhead() : status;
    for (int i = from; i < to && status == Outcome.OK; i++) {
      if (ranges[i].goesOn && ranges[i].locksLeaves) {
        status = locks.acquire(ranges[i].leaf, LockMode.READ);
      }
    }
    return status;
  }

  private void locate(PrefetchRange range) {
    range.leaf =
        cursors
            .of(range.index)
            .firstLeaf(
                channel, range.bound.bytes, range.bound.length, ScanDirection.of(range.ascending));
  }

  private void collect(PrefetchRange range) {
    if (range.index == null) {
      addRow(range.table, range.lotusKey, PoolAddress.NULL);
    } else {
      collectRange(range);
    }
  }

  private void collectRange(PrefetchRange range) {
    if (!range.goesOn) {
      return;
    }
    range.goesOn = false;
    LeafCursor cursor = cursors.of(range.index);
    if (!cursor.seekPrefetched(
        range.leaf, range.bound.bytes, range.bound.length, ScanDirection.of(range.ascending))) {
      return;
    }
    for (int entry = 0; entry < cursor.count(); entry++) {
      if (range.isBeyond(cursor, entry) || range.rowsLeft == 0 || rowsLeft == 0) {
        return;
      }
      range.rowsLeft--;
      int offset = cursor.keyOffset(entry);
      long key = range.index.lotusKey(cursor.keyBytes(), offset, cursor.keyLength(entry));
      addRow(range.table, key, cursor.cvt(entry));
    }
    range.leaveLeaf(cursor);
  }

  private void addRow(TableStore table, long lotusKey, long cvt) {
    if (rows == ROWS) {
      readRows();
    }
    tables[rows] = table;
    lotusKeys[rows] = lotusKey;
    cvts[rows++] = cvt;
    rowsLeft--;
  }

  private void readRows() {
    if (rows > 0) {
      prefetch.get().fetch(tables, lotusKeys, cvts, rows);
      Arrays.fill(tables, 0, rows, null);
      rows = 0;
    }
  }

  /** Discards the ranges and rows that have been read. */
  public void clear() {
    if (covered > 0 && openedIn == view.generation()) {
      leaves.truncate(leavesBefore);
    }
    size = 0;
    covered = 0;
  }

  /** Ends the read-ahead; does nothing if it has ended already. */
  public void close() {
    clear();
    if (openedIn == view.generation()) {
      view.unpin();
      records.release();
    }
    openedIn = -1;
  }
}
