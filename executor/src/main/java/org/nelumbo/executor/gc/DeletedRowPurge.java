package org.nelumbo.executor.gc;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.index.tree.EntryRemovals;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.version.CvtWriter;
import org.nelumbo.executor.version.VersionReader;
import org.nelumbo.executor.version.VisibilityRules;

/**
 * Removes deleted rows of one table that no snapshot needs. The rows are processed together, so
 * that each step takes as many round trips for all of them as for one:
 *
 * <ol>
 *   <li>Check whether each row still exists and is still deleted.
 *   <li>Read its keys.
 *   <li>Remove its entries from the ordered indexes, then from the hash index, or the ordered
 *       primary index if there is no hash index.
 *   <li>Mark the CVTs as dead.
 *   <li>Retire the memory.
 * </ol>
 *
 * <p>The caller holds the rows' write locks throughout. Rows whose locks were not available stay.
 * Reusable; not thread-safe.
 */
final class DeletedRowPurge {
  static final int ROWS_MAX = 32;

  private static final int STAGING_RESERVE = 256 << 10;

  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;
  private final Clock clock;

  private final boolean isShared;

  private final VersionReader reader;
  private final CvtWriter cvts;
  private final CriticalSection critical;
  private final GarbageList garbage;
  private final EntryRemovals entries;

  /** Entries of the primary index if there is no hash index; removed after the others. */
  private final EntryRemovals keyEntries;

  private final long[] candidates = new long[HashIndex.USUAL_CANDIDATES];
  private final RowBuffer image = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();

  private final Row[] rows = new Row[ROWS_MAX];
  private TableStore table;

  /** The secondary indexes as of {@link #begin}; others may be created or dropped meanwhile. */
  private IndexStore[] indexes;

  private int count;

  /**
   * Records that are being read: index of the row (its complement for a deletion), and staging
   * offset.
   */
  private final int[] recordRows = new int[2 * ROWS_MAX];

  private final int[] recordPlaces = new int[2 * ROWS_MAX];
  private int recordCount;

  private static final class Row {
    private final HashProbe probe = new HashProbe();
    private long lotusKey;
    private long cvt;
    private int cvtPlace;
    private int ticket;

    /** True if the row's window was read and contains its entry, if there is one. */
    private boolean seen;

    private boolean locked;

    /** True while the row is a candidate for removal. */
    private boolean going;

    /** True if the row is removed, or has to stay. */
    private boolean finished;

    private boolean hasKey;
  }

  DeletedRowPurge(
      CoordinatorContext context, VersionReader reader, GarbageList garbage, LeafGuard leaves) {
    this.channel = context.channel();
    this.staging = channel.staging();
    this.allocator = context.allocator();
    this.clock = context.clock();
    this.isShared = context.isShared();
    this.reader = reader;
    this.cvts = new CvtWriter(channel);
    this.garbage = garbage;
    this.critical = context.critical();
    this.entries = new EntryRemovals(leaves);
    this.keyEntries = new EntryRemovals(leaves);
  }

  void begin(TableStore of) {
    table = of;
    indexes = of.indexes();
    count = 0;
    entries.clear();
    keyEntries.clear();
  }

  /** Adds a row. The caller reports with {@link #setLocked} if it holds the row's lock. */
  void add(long lotusKey, long cvt) {
    if (rows[count] == null) {
      rows[count] = new Row();
    }
    Row row = rows[count++];
    row.lotusKey = lotusKey;
    row.cvt = cvt;
    row.locked = false;
    row.hasKey = false;
  }

  /** Marks the last row added as locked. */
  void setLocked() {
    rows[count - 1].locked = true;
  }

  void unsetLocked(int i) {
    rows[i].locked = false;
  }

  int count() {
    return count;
  }

  long lotusKey(int i) {
    return rows[i].lotusKey;
  }

  /** Removes all rows from this object. */
  void clear() {
    count = 0;
  }

  boolean isLocked(int i) {
    return rows[i].locked;
  }

  /**
   * Returns true after {@link #run} if nothing is left to be done for row {@code i}; otherwise it
   * is retried later.
   */
  boolean isFinished(int i) {
    return rows[i].finished;
  }

  /** Removes those rows that are still there and were deleted at or before the horizon. */
  void run(long horizon) {
    int mark = channel.mark();
    lookUp();
    choose(horizon);
    readKeys();
    try {
      critical.begin();
      entries.run(channel);
      removeKeys();
      writeDead();
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
    retire();
    channel.release(mark);
  }

  private void lookUp() {
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (row.locked) {
        if (table.hash() != null) {
          row.ticket = table.hash().postLookup(channel, row.lotusKey, row.probe);
        }
        row.cvtPlace = channel.reserve(table.cvtBytes());
        channel.read(row.cvt, row.cvtPlace, table.cvtBytes());
      }
    }
    channel.flush();
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      row.going = row.locked && isCurrent(row);
      row.finished = row.locked && !row.going;
    }
  }

  /**
   * Without a hash index, the CVT shows whether it is still that of the row: its LOTUS key is
   * removed before its memory is freed.
   */
  private boolean isCurrent(Row row) {
    if (table.hash() == null) {
      return CvtLayout.isOf(staging, row.cvtPlace, table.id(), table.versions())
          && CvtLayout.lotusKey(staging, row.cvtPlace) == row.lotusKey;
    }
    int found = table.hash().collect(channel, row.ticket, row.lotusKey, candidates);
    row.seen = found != HashIndex.STALE && found <= candidates.length;
    if (!row.seen) {
      return table.hash().contains(channel, row.lotusKey, row.cvt);
    }
    for (int i = 0; i < found; i++) {
      if (candidates[i] == row.cvt) {
        return true;
      }
    }
    return false;
  }

  private void choose(long horizon) {
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (row.going) {
        row.finished =
            reader.chooseNewest(row.cvtPlace, table.versions()) && reader.version() <= horizon;
        row.going = row.finished && reader.isDeleted();
      }
    }
  }

  private void readKeys() {
    int mark = channel.mark();
    recordCount = 0;
    for (int i = 0; i < count; i++) {
      boolean wanted = rows[i].going;
      for (int cell = 0; wanted && cell < table.versions(); cell++) {
        long word0 = CvtLayout.word0(staging, rows[i].cvtPlace, cell);
        long word1 = CvtLayout.word1(staging, rows[i].cvtPlace, cell);
        if (CellLayout.isValid(word0)
            && CellLayout.hasRecord(word0)
            && !VisibilityRules.isUnsettled(word0, word1)) {
          postRecord(i, word0, mark);
          wanted = indexes.length > 0;
        }
      }
    }
    takeRecords(mark);
    for (int i = 0; i < count; i++) {
      if (rows[i].going && !rows[i].hasKey) {
        leaveToInserters(rows[i]);
      }
    }
  }

  /**
   * The key is unknown since a compute node failed while it inserted the row again. The CVT stays
   * for the next insert of the row. Throws if no abandoned cell explains the missing record: the
   * CVT is damaged.
   */
  private void leaveToInserters(Row row) {
    for (int cell = 0; isShared && cell < table.versions(); cell++) {
      if (VisibilityRules.isUnsettled(
          CvtLayout.word0(staging, row.cvtPlace, cell),
          CvtLayout.word1(staging, row.cvtPlace, cell))) {
        row.going = false;
        return;
      }
    }
    throw new IllegalStateException(
        "a CVT without a record lotusKey=" + Long.toHexString(row.lotusKey));
  }

  private void postRecord(int row, long word0, int mark) {
    int bytes = SizeClass.bytes(CellLayout.sizeClass(word0));
    if (recordCount == recordRows.length || channel.stagingAvailable() < STAGING_RESERVE + bytes) {
      takeRecords(mark);
    }
    recordRows[recordCount] = CellLayout.isDeleted(word0) ? ~row : row;
    recordPlaces[recordCount] = channel.reserve(bytes);
    channel.read(CellLayout.address(word0), recordPlaces[recordCount++], bytes);
  }

  private void takeRecords(int mark) {
    channel.flush();
    for (int i = 0; i < recordCount; i++) {
      boolean deletion = recordRows[i] < 0;
      removeEntries(rows[deletion ? ~recordRows[i] : recordRows[i]], recordPlaces[i], deletion);
    }
    recordCount = 0;
    channel.release(mark);
  }

  private void removeEntries(Row row, int record, boolean deletion) {
    reader.selectRecord(record);
    reader.copyImage(image, 0);
    if (!row.hasKey && table.primary() != null) {
      key.clear();
      key.append(image.bytes, image.offset, RecordLayout.keyLength(staging, record));
      removeKey(table.hash() == null ? keyEntries : entries, row, table.primary());
    }
    row.hasKey = true;
    for (int i = 0; i < indexes.length && !deletion; i++) {
      indexes[i].encoder().build(image, key);
      removeKey(entries, row, indexes[i]);
    }
  }

  private void removeKey(EntryRemovals from, Row row, IndexStore index) {
    try {
      critical.begin();
      from.add(channel, index.tree(), key.bytes, key.length, row.cvt);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  /**
   * Removes the last entries that lead to the rows: those of the index that finds rows by key. Rows
   * whose leaves were not available stay.
   */
  private void removeKeys() {
    keyEntries.run(channel);
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (row.going && (entries.isRefused(row.cvt) || keyEntries.isRefused(row.cvt))) {
        row.going = false;
        row.finished = false;
      }
    }
    if (table.hash() != null) {
      removeFromHash(table.hash());
    }
  }

  private void removeFromHash(HashIndex hash) {
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (row.going) {
        row.ticket =
            row.seen
                ? hash.postRemove(channel, row.lotusKey, row.cvt, row.probe)
                : HashIndex.NOT_POSTED;
      }
    }
    channel.flush();
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (row.going) {
        hash.finishRemove(channel, row.lotusKey, row.cvt, row.ticket, row.probe);
      }
    }
  }

  private void writeDead() {
    for (int i = 0; i < count; i++) {
      if (rows[i].going) {
        cvts.postDead(rows[i].cvt);
      }
    }
    channel.flush();
  }

  /** The timestamp is taken when no index leads to the rows: a later pin finds nothing. */
  private void retire() {
    long now = clock.retirement(channel);
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (row.going) {
        garbage.freeChain(
            CvtLayout.overflow(staging, row.cvtPlace),
            VisibilityRules.oldestSettled(staging, row.cvtPlace, table.versions()));
        retireRecords(row, now);
        allocator.retire(row.cvt, CvtLayout.blockClass(staging, row.cvtPlace), now);
      }
    }
  }

  private void retireRecords(Row row, long now) {
    for (int cell = 0; cell < table.versions(); cell++) {
      if (VisibilityRules.ownsRecord(staging, row.cvtPlace, cell)) {
        long word0 = CvtLayout.word0(staging, row.cvtPlace, cell);
        allocator.retire(CellLayout.address(word0), CellLayout.sizeClass(word0), now);
      }
    }
  }
}
