package org.nelumbo.executor.readahead;

import java.util.function.Supplier;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.ReadView;

/**
 * Keys that the next statements of a transaction will read: a hint that affects only caches. If
 * many keys are given at once, the cache misses of their locks and index windows overlap; on a
 * remote fabric their rows are read together, see {@link RowPrefetch}. On a remote fabric ranges
 * can be given, too: they are read when the first statement begins, and their leaves are locked,
 * see {@link ReadAhead}. Not thread-safe.
 */
public final class PrefetchHints {
  /**
   * Maximum number of keys in a batch; more keys would evict each other from the nearest CPU cache.
   */
  private static final int LOCAL_CAPACITY = 32;

  /**
   * Maximum number of keys in a batch on a remote fabric, where reading a batch takes two or three
   * round trips, regardless of its size.
   */
  private static final int REMOTE_CAPACITY = 256;

  private static final int RANGES = 128;

  private final ReadView view;
  private final Supplier<ReadAhead> newReadAhead;
  private final Supplier<RowPrefetch> prefetch;
  private final Channel channel;
  private final KeyLocks locks;

  private final boolean remote;

  private final int capacity;

  /** Arrays that are allocated with the first key, since most connections never get hints. */
  private TableStore[] tables;

  private long[] lotusKeys;
  private boolean[] inserts;

  private int size;

  private ReadAhead ranges;

  /** Generation of the transaction whose statements will scan the ranges. */
  private long rangesOf = -1;

  /** Number of ranges after each of the hinted statements had added its own. */
  private final int[] ends = new int[REMOTE_CAPACITY];

  private int statements;

  private int begun;

  /**
   * Creates an empty set of hints.
   *
   * @param newReadAhead creates the read-ahead of ranges, with the first range
   * @param prefetch supplies the row prefetch, when there are rows to read
   */
  public PrefetchHints(
      CoordinatorContext context,
      KeyLocks locks,
      ReadView view,
      Supplier<ReadAhead> newReadAhead,
      Supplier<RowPrefetch> prefetch) {
    this.channel = context.channel();
    this.remote = context.caches().isRemote();
    this.locks = locks;
    this.view = view;
    this.newReadAhead = newReadAhead;
    this.prefetch = prefetch;
    this.capacity = remote ? REMOTE_CAPACITY : LOCAL_CAPACITY;
  }

  /**
   * Adds a complete primary key, unless the transaction already holds its lock or the batch is
   * full.
   */
  public void add(TableStore table, KeyBuffer key, boolean insert) {
    if (size < capacity && !locks.holds(key.lotusKey)) {
      if (tables == null) {
        makeRoom();
      }
      tables[size] = table;
      lotusKeys[size] = key.lotusKey;
      inserts[size++] = insert;
    }
  }

  private void makeRoom() {
    lotusKeys = new long[capacity];
    inserts = new boolean[capacity];
    tables = new TableStore[capacity];
  }

  /**
   * Returns the ranges that the hinted statements will scan, to which each statement may add its
   * own; null on a local fabric, where ranges bring no benefit.
   */
  public ReadAhead ranges() {
    if (ranges == null && remote) {
      ranges = newReadAhead.get();
    }
    if (ranges != null && rangesOf != view.generation()) {
      startRanges();
    }
    return ranges;
  }

  private void startRanges() {
    ranges.open();
    rangesOf = view.generation();
    statements = 0;
    begun = 0;
  }

  /** Ends the hints of one statement; later hints belong to the next one. */
  public void endStatement() {
    if (hasRanges() && statements < ends.length) {
      ends[statements++] = ranges.size();
    }
  }

  private boolean hasRanges() {
    return ranges != null && rangesOf == view.generation();
  }

  /** Returns true if no more hints are useful before the next {@link #fetch}. */
  public boolean isFull() {
    return size == capacity
        || (hasRanges() && (ranges.size() >= RANGES || statements == ends.length));
  }

  /**
   * Begins the next of the hinted statements: reads the next ranges, unless those of the statement
   * have been read already. Returns OK, or the reason why a leaf could not be locked.
   */
  public Outcome begin() {
    Outcome status = Outcome.OK;
    if (hasRanges() && begun < statements) {
      int end = ends[begun++];
      while (ranges.covered() < end && status == Outcome.OK) {
        status = ranges.fetch();
      }
    }
    return status;
  }

  /**
   * Ends the current statement. If it failed, or was the last hinted one, the ranges are discarded.
   *
   * @param well true if the statement succeeded
   */
  public void end(boolean well) {
    if (begun > 0 && (!well || begun >= statements)) {
      startRanges();
    }
  }

  /** Prefetches the data of the added keys, and clears them. */
  public void fetch() {
    if (remote) {
      fetchRows();
    }
    for (int i = 0; i < size; i++) {
      if (inserts[i]) {
        tables[i].prefetchForInsert(channel, lotusKeys[i]);
      } else {
        tables[i].prefetch(channel, lotusKeys[i]);
      }
      tables[i] = null;
    }
    for (int i = 0; i < size; i++) {
      locks.prefetch(lotusKeys[i]);
    }
    size = 0;
  }

  /** Rows to be inserted are skipped: their insert looks them up together with their slot. */
  private void fetchRows() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (!inserts[i]) {
        tables[kept] = tables[i];
        lotusKeys[kept++] = lotusKeys[i];
      }
    }
    if (kept > 1) {
      prefetch.get().fetch(tables, lotusKeys, kept);
    }
    size = 0;
  }
}
