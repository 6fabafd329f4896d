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
 * Keys that coming statements of a transaction are going to ask for: a hint, without any effect but
 * on caches. Given many at once, the misses of their locks and index windows overlap, instead of
 * being waited for one after the other; on a remote fabric their rows are read together, see {@link
 * RowPrefetch}. There ranges may be given, too: these are read when the first statement begins, and
 * their leaves locked, see {@link ReadAhead}. Not thread-safe.
 */
public final class PrefetchHints {
  /** How many keys are taken at once; more would push each other out of the nearest cache. */
  private static final int LOCAL_CAPACITY = 32;

  /**
   * How many keys are taken at once on a remote fabric, where reading them takes two or three round
   * trips, however many they are.
   */
  private static final int REMOTE_CAPACITY = 256;

  /** How many ranges are taken at once. */
  private static final int RANGES = 128;

  private final ReadView view;
  private final Supplier<ReadAhead> newReadAhead;
  private final Supplier<RowPrefetch> prefetch;
  private final Channel channel;
  private final KeyLocks locks;

  private final boolean remote;

  private final int capacity;

  /** Arrays that are made with the first key: most connections never foresee one. */
  private TableStore[] tables;

  private long[] lotusKeys;
  private boolean[] inserts;

  private int size;

  /** Comes with the first range. */
  private ReadAhead ranges;

  /** Of the transaction whose statements will scan them. */
  private long rangesOf = -1;

  /** How many ranges there were when each of these statements had added its own. */
  private final int[] ends = new int[REMOTE_CAPACITY];

  private int statements;

  /** How many of them have begun. */
  private int begun;

  /**
   * No hints.
   *
   * @param newReadAhead makes what reads ranges ahead, when there are any
   * @param prefetch what reads rows ahead, asked for when there are any
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
   * Adds a complete primary key, unless the transaction has its lock already or there is no room.
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
   * The ranges that the statements are going to scan, to which each may add some; null on a local
   * fabric, where nothing is gained by it.
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

  /** A statement has added what it will ask for; what comes is the next one's. */
  public void endStatement() {
    if (hasRanges() && statements < ends.length) {
      ends[statements++] = ranges.size();
    }
  }

  private boolean hasRanges() {
    return ranges != null && rangesOf == view.generation();
  }

  public boolean isFull() {
    return size == capacity
        || (hasRanges() && (ranges.size() >= RANGES || statements == ends.length));
  }

  /**
   * The next of the statements begins: reads the next ranges if its own has not been read. Returns
   * OK, or why a leaf could not be locked.
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

  /** The statement that began last has ended; those to come are not, unless it ended well. */
  public void end(boolean well) {
    if (begun > 0 && (!well || begun >= statements)) {
      startRanges();
    }
  }

  /** Has what was added brought near, and forgets it. */
  public void fetch() {
    if (remote) {
      fetchRows();
    }
    for (int i = 0; i < size; i++) {
      if (inserts[i]) {
        tables[i].hash().prefetchForInsert(channel, lotusKeys[i]);
      } else {
        tables[i].hash().prefetch(channel, lotusKeys[i]);
      }
      tables[i] = null;
    }
    for (int i = 0; i < size; i++) {
      locks.prefetch(lotusKeys[i]);
    }
    size = 0;
  }

  /** A row that is to be inserted is looked for by its insert, together with its place. */
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
