package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.CachedCvt;
import org.nelumbo.executor.cache.RecordReadCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Snapshot;
import org.nelumbo.types.Bytes;

/**
 * Reads the rows of up to {@link #CAPACITY} CVTs in two round trips, CVTs then records, whatever
 * their number. One round trip is enough if all of the CVTs are cached or, on a remote fabric, if
 * all of the records lie beside their CVTs ({@link CvtReads}). Rows that need a second read (an
 * unsettled cell, a version in the overflow chain) are then read one by one. The images are private
 * copies, valid until the next batch. Not thread-safe.
 */
public final class CvtBatch {
  public static final int CAPACITY = 64;
  private static final int ABSENT = -1;
  private static final int ALONE = -2;

  private final Channel channel;
  private final MemorySegment staging;
  private final ReadView view;
  private final KeyLocks locks;
  private final VersionReader reader;
  private final CvtLoader loader;
  private final RecordReadCache records;
  private final CvtReads reads;
  private final PrimaryKeys primaryKeys;

  /** True if records may be read into {@link #images}, without a copy in the staging buffer. */
  private final boolean mayBypassStaging;

  /** True while the records of the batch are read into {@link #images}. */
  private boolean bypasses;

  private final long[] sequences = new long[CAPACITY];

  private final boolean[] cached = new boolean[CAPACITY];

  private final int[] cvtOffsets = new int[CAPACITY];
  private final int[] recordOffsets = new int[CAPACITY];

  private final boolean[] recordStaged = new boolean[CAPACITY];

  private final boolean[] recordCached = new boolean[CAPACITY];

  /** Versions that were chosen, which may be deletions; 0 for none. */
  private final long[] versions = new long[CAPACITY];

  private final long[] recordWords = new long[CAPACITY];

  private final long[] lotusKeys = new long[CAPACITY];
  private final int[] imageOffsets = new int[CAPACITY];
  private final int[] imageLengths = new int[CAPACITY];

  /** The single table of the last batches, repeated for every CVT. */
  private final TableStore[] oneTable = new TableStore[CAPACITY];

  private byte[] images = new byte[1024];
  private int imageBytes;

  /** The primary keys of the CVTs, as far as the user of the batch knows them. */
  @FunctionalInterface
  public interface PrimaryKeys {
    /** Returns the primary key of the row of CVT {@code i}, valid until the next call; or null. */
    KeyBuffer of(int i);
  }

  /**
   * Creates a batch.
   *
   * @param primaryKeys keys for the check of an entry that leads to no CVT
   */
  public CvtBatch(
      CoordinatorContext context,
      ReadView view,
      KeyLocks locks,
      VersionReader reader,
      RecordReadCache records,
      PrimaryKeys primaryKeys) {
    this.primaryKeys = primaryKeys;
    this.channel = context.channel();
    this.staging = channel.staging();
    this.view = view;
    this.locks = locks;
    this.reader = reader;
    this.records = records;
    this.loader = new CvtLoader(context);
    this.reads = new CvtReads(context, CAPACITY);
    this.mayBypassStaging = channel.canReadArray() && !context.caches().isRemote();
  }

  /** Reads the LOTUS keys of CVTs. The key of a CVT never changes, so no lock is needed. */
  public void readLotusKeys(long[] cvts, int count) {
    int mark = channel.mark();
    for (int i = 0; i < count; i++) {
      cvtOffsets[i] = channel.reserve(Long.BYTES);
      channel.read(cvts[i], cvtOffsets[i], Long.BYTES);
    }
    channel.flush();
    for (int i = 0; i < count; i++) {
      lotusKeys[i] = CvtLayout.lotusKey(staging, cvtOffsets[i]);
    }
    channel.release(mark);
  }

  /** Returns the LOTUS key in the header of CVT {@code i}. */
  public long lotusKey(int i) {
    return lotusKeys[i];
  }

  public boolean isPresent(int i) {
    return imageOffsets[i] >= 0;
  }

  public void view(int i, RowBuffer out) {
    out.wrap(images, imageOffsets[i], imageLengths[i]);
  }

  /** Copies a row, so that it outlives the batch. */
  public void copy(int i, RowBuffer out) {
    out.copy(images, imageOffsets[i], imageLengths[i]);
  }

  /** Hints that the rows of CVTs will be read soon. */
  public void prefetch(TableStore table, long[] cvts, int count) {
    for (int i = 0; i < count; i++) {
      channel.prefetch(cvts[i], table.rowBytes());
    }
  }

  /**
   * Locks the rows of CVTs of one table, which the caller has prefetched, and reads their newest
   * versions, or reads the versions that the snapshot sees.
   *
   * @param keys LOTUS keys of the CVTs, null if they are not known and not locked; a CVT with
   *     another key counts as absent, since a stale index entry may point to reused memory
   * @param mode mode of the locks; null to read the snapshot without locks
   * @param plans as in the method below
   * @return OK, or the reason why a row could not be locked or read; TOO_OLD also if rows may be
   *     missing
   */
  public Outcome fetch(
      TableStore table,
      long[] cvts,
      int count,
      long[] keys,
      LockMode mode,
      VersionSlotPlan[] plans) {
    if (oneTable[0] != table) {
      Arrays.fill(oneTable, table);
    }
    Outcome status = mode == null ? Outcome.OK : lockRows(cvts, count, keys, mode);
    return status == Outcome.OK
        ? readRows(oneTable, cvts, count, keys, mode != null, plans)
        : status;
  }

  private Outcome lockRows(long[] cvts, int count, long[] keys, LockMode mode) {
    Outcome status = locks.acquireAhead(keys, count, mode);
    for (int i = 0; i < count && status == Outcome.OK; i++) {
      status = locks.acquire(keys[i], mode);
      if (status == Outcome.OK) {
        locks.setRowAddress(cvts[i]);
      }
    }
    return status;
  }

  /**
   * Reads the rows of CVTs of several tables: their newest versions if the caller has locked them,
   * else the versions that the snapshot sees. Fails if a row has changed since the transaction's
   * snapshot.
   *
   * @param tables table of each CVT
   * @param keys LOTUS keys of the CVTs, as in the method above
   * @param plans plans to be filled in for later writes; entries may only be non-null for CVTs
   *     whose write lock is held; may itself be null
   */
  public Outcome read(
      TableStore[] tables,
      long[] cvts,
      int count,
      long[] keys,
      boolean locked,
      VersionSlotPlan[] plans) {
    for (int i = 0; i < count; i++) {
      channel.prefetch(cvts[i], tables[i].rowBytes());
    }
    return readRows(tables, cvts, count, keys, locked, plans);
  }

  private Outcome readRows(
      TableStore[] tables,
      long[] cvts,
      int count,
      long[] keys,
      boolean locked,
      VersionSlotPlan[] plans) {
    Snapshot snapshot = view.snapshot();
    boolean guarded = locked && reader.isGuarded();
    int mark = channel.mark();
    imageBytes = 0;
    bypasses = mayBypassStaging && records.isEmpty() && !records.isOpen();
    for (int i = 0; guarded && i < count; i++) {
      reader.postGuard(i, tables[i], keys[i], cvts[i]);
    }
    boolean keyed = loader.isEnabled() && keys != null;
    boolean keeps = keyed && stageCvts(tables, cvts, count, keys, guarded);
    if (!keyed) {
      postCvts(tables, cvts, count, guarded);
    }
    if (!keyed || keeps) {
      channel.flush();
      records.confirm();
    }
    Outcome status = guarded ? judge(tables, count) : Outcome.OK;
    if (keeps && status == Outcome.OK) {
      keepCvts(tables, cvts, count, keys, locked);
    }
    int cvtsEnd = channel.mark();
    // The following code uses addresses and lengths from the copies.
    status = status == Outcome.OK ? view.checkAge() : status;
    if (status != Outcome.OK) {
      channel.release(mark);
      return status;
    }
    int posted = 0;
    for (int i = 0; i < count; i++) {
      lotusKeys[i] = CvtLayout.lotusKey(staging, cvtOffsets[i]);
      if (plans != null && plans[i] != null) {
        plans[i].planFrom(staging, cvtOffsets[i], tables[i].versions());
      }
      posted +=
          isAt(tables[i], cvts[i], i, keys, locked) && choose(tables[i], i, locked, snapshot)
              ? 1
              : 0;
    }
    if (posted > 0) {
      postRecords(count);
      channel.flush();
      records.confirm();
    }
    status = view.checkAge();
    for (int i = 0; i < count && status == Outcome.OK; i++) {
      if (recordOffsets[i] >= 0) {
        takeRecord(tables[i], i, locked);
      }
    }
    channel.release(cvtsEnd); // the images are copied; images of large rows need the space
    for (int i = 0; i < count && status == Outcome.OK; i++) {
      if (recordOffsets[i] == ALONE) {
        status = readAlone(tables[i], cvts[i], i, locked, snapshot);
      }
    }
    channel.release(mark);
    for (int i = 0; locked && i < count && status == Outcome.OK; i++) {
      status = view.isTooNew(versions[i]) ? view.changedSinceSnapshot() : status;
    }
    return status;
  }

  private void postCvts(TableStore[] tables, long[] cvts, int count, boolean guarded) {
    reads.begin();
    for (int i = 0; i < count; i++) {
      post(tables[i], cvts[i], i, guarded);
    }
    reads.post();
  }

  private void post(TableStore table, long cvt, int i, boolean guarded) {
    imageOffsets[i] = ABSENT;
    cvtOffsets[i] = guarded ? reads.postGuarded(i, table, cvt) : reads.add(i, table, cvt);
  }

  /** Judges each row; returns OK or the first failure. */
  private Outcome judge(TableStore[] tables, int count) {
    Outcome status = Outcome.OK;
    for (int i = 0; i < count; i++) {
      Outcome judged = reader.judge(i, tables[i], cvtOffsets[i]);
      status = status == Outcome.OK ? judged : status;
    }
    return status;
  }

  /** Copies the CVTs that are cached, unless guarded; posts the others, and returns true if any. */
  private boolean stageCvts(
      TableStore[] tables, long[] cvts, int count, long[] keys, boolean guarded) {
    boolean posted = false;
    reads.begin();
    for (int i = 0; i < count; i++) {
      CachedCvt known = loader.find(tables[i], keys[i]);
      cached[i] = !guarded && known != null && known.isReadable() && known.address() == cvts[i];
      if (cached[i]) {
        cvtOffsets[i] = channel.reserve(tables[i].cvtBytes());
        imageOffsets[i] = ABSENT;
        known.copyTo(staging, cvtOffsets[i]);
        reads.skip(i);
      } else {
        sequences[i] = loader.sequence(keys[i]);
        post(tables[i], cvts[i], i, guarded);
        posted = true;
      }
    }
    reads.post();
    return posted;
  }

  private void keepCvts(TableStore[] tables, long[] cvts, int count, long[] keys, boolean locked) {
    // An address that was held for too long may no longer belong to the key's CVT.
    for (int i = 0; i < count && !view.isOutlived(); i++) {
      if (!cached[i] && locked) {
        loader.keepLocked(tables[i], keys[i], cvts[i], cvtOffsets[i], sequences[i]);
      } else if (!cached[i]) {
        loader.keep(tables[i], keys[i], cvts[i], cvtOffsets[i], sequences[i]);
      }
    }
  }

  /**
   * Returns true if the CVT is the one that was looked for.
   *
   * @throws NelumboException DATA_CORRUPTED if there is none, although an index leads to it
   */
  private boolean isAt(TableStore table, long cvt, int i, long[] keys, boolean locked) {
    recordOffsets[i] = ABSENT;
    versions[i] = 0;
    boolean isCvt = CvtLayout.isOf(staging, cvtOffsets[i], table.id(), table.versions());
    if (isCvt && (keys == null || keys[i] == lotusKeys[i])) {
      return true;
    }
    if (!view.isOutlived()) {
      if (keys != null) {
        KeyBuffer primaryKey = table.hash() == null ? primaryKeys.of(i) : null;
        reader.checkStray(table, keys[i], primaryKey, cvt, cvtOffsets[i], locked);
      } else if (table.primary() != null) {
        throw VersionReader.damaged(cvt, "an index points to it, but it does not exist");
      }
    }
    return false;
  }

  /** Returns true if the version's record still has to be posted. */
  private boolean choose(TableStore table, int i, boolean locked, Snapshot snapshot) {
    int cells = table.versions();
    int cvt = cvtOffsets[i];
    int cell =
        locked
            ? VisibilityRules.newest(staging, cvt, cells)
            : VisibilityRules.visible(staging, cvt, cells, snapshot, false);
    if (cell == VisibilityRules.NONE
        && (!locked || CvtLayout.overflow(staging, cvt) == PoolAddress.NULL)) {
      return false;
    }
    if (cell < 0 || (!locked && !VisibilityRules.isNewest(staging, cvt, cells, cell))) {
      recordOffsets[i] = ALONE;
      return false;
    }
    long word0 = CvtLayout.word0(staging, cvt, cell);
    versions[i] = CellLayout.version(CvtLayout.word1(staging, cvt, cell));
    if (locked && CellLayout.isDeleted(word0)) {
      return false;
    }
    int bytes = SizeClass.bytes(CellLayout.sizeClass(word0));
    if (CellLayout.isDeleted(word0) || (!bypasses && channel.stagingAvailable() < bytes)) {
      recordOffsets[i] = ALONE;
      return false;
    }
    recordWords[i] = word0;
    recordStaged[i] = isStaged(i, word0, bytes);
    if (!recordStaged[i] && !isAnnounced(table, i, bytes)) {
      channel.prefetch(CellLayout.address(word0), bytes);
    }
    return !recordStaged[i];
  }

  /** Returns true if the record lies beside its CVT and was prefetched with it. */
  private boolean isAnnounced(TableStore table, int i, int bytes) {
    if (!CvtLayout.isInline(CellLayout.address(recordWords[i]))) {
      return false;
    }
    boolean announced = bytes <= table.inlineSlotBytes();
    if (!announced) {
      table.noteInlineSlot(CvtLayout.blockClass(staging, cvtOffsets[i]));
    }
    return announced;
  }

  /**
   * Returns true if the record is already in the staging buffer; reserves space for it there in any
   * case, or among the images.
   */
  private boolean isStaged(int i, long word0, int bytes) {
    if (bypasses) {
      recordOffsets[i] = imageBytes;
      imageBytes += bytes;
      return false;
    }
    int stagingOffset = reads.recordOffset(i, word0);
    recordCached[i] = false;
    if (stagingOffset != CvtReads.NOWHERE) {
      recordOffsets[i] = stagingOffset;
      return true;
    }
    recordOffsets[i] = channel.reserve(bytes);
    recordCached[i] =
        !records.isEmpty()
            && records.get(
                CellLayout.address(word0), versions[i], staging, recordOffsets[i], bytes);
    return recordCached[i];
  }

  private void postRecords(int count) {
    if (bypasses && imageBytes > images.length) {
      images = new byte[Math.max(images.length * 2, imageBytes)];
    }
    for (int i = 0; i < count; i++) {
      if (recordOffsets[i] >= 0 && !recordStaged[i]) {
        int bytes = SizeClass.bytes(CellLayout.sizeClass(recordWords[i]));
        long record = CellLayout.address(recordWords[i]);
        if (bypasses) {
          channel.readArray(record, images, recordOffsets[i], bytes);
        } else {
          channel.read(record, recordOffsets[i], bytes);
        }
      }
    }
  }

  private void takeRecord(TableStore table, int i, boolean locked) {
    if (bypasses) {
      takeImage(table, i, locked);
      return;
    }
    if (!locked && RecordLayout.predecessor(staging, recordOffsets[i]) >= versions[i]) {
      recordOffsets[i] = ALONE;
      return;
    }
    reader.selectRecord(recordOffsets[i]);
    append(i, reader.imageLength(table.layout().leastImageBytes()));
    reader.copyImage(images, imageOffsets[i], imageLengths[i]);
    if (!recordCached[i]) {
      int bytes = SizeClass.bytes(CellLayout.sizeClass(recordWords[i]));
      records.put(
          CellLayout.address(recordWords[i]), versions[i], staging, recordOffsets[i], bytes);
    }
  }

  /** Does the same as {@link #takeRecord} for a record that was read into the images. */
  private void takeImage(TableStore table, int i, boolean locked) {
    int record = recordOffsets[i];
    if (!locked && Bytes.longLe(images, record + RecordLayout.PREDECESSOR_OFFSET) >= versions[i]) {
      recordOffsets[i] = ALONE;
      return;
    }
    int most = SizeClass.bytes(CellLayout.sizeClass(recordWords[i])) - RecordLayout.KEY_OFFSET;
    int length = Bytes.intLe(images, record + RecordLayout.LENGTH_OFFSET);
    int least = table.layout().leastImageBytes();
    imageLengths[i] = VersionReader.imageLength(length, least, most);
    imageOffsets[i] = record + RecordLayout.KEY_OFFSET;
  }

  private void append(int i, int length) {
    if (imageBytes + length > images.length) {
      images = Arrays.copyOf(images, Math.max(images.length * 2, imageBytes + length));
    }
    imageOffsets[i] = imageBytes;
    imageLengths[i] = length;
    imageBytes += length;
  }

  private Outcome readAlone(TableStore table, long cvt, int i, boolean locked, Snapshot snapshot) {
    int mark = channel.mark();
    Outcome status;
    reader.skipInline();
    if (locked) {
      boolean found = reader.chooseNewest(cvtOffsets[i], table.versions());
      versions[i] = found ? reader.version() : 0;
      status = found && !reader.isDeleted() ? Outcome.OK : Outcome.NOT_FOUND;
      if (status == Outcome.OK) {
        reader.readRecord();
      }
    } else {
      status = reader.readVisible(cvt, cvtOffsets[i], table.cvtBytes(), table.versions(), snapshot);
    }
    if (status == Outcome.OK) {
      append(i, reader.imageLength(table.layout().leastImageBytes()));
      reader.copyImage(images, imageOffsets[i], imageLengths[i]);
    }
    channel.release(mark);
    return status == Outcome.NOT_FOUND ? Outcome.OK : status;
  }
}
