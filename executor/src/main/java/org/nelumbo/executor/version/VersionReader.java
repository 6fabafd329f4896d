package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cache.CachedCvt;
import org.nelumbo.executor.cache.RecordReadCache;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.Sharing;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.Snapshot;

/**
 * Reads versions: one CVT, then one record (LOTUS section 5.1, "Read CVT", "Read Data"), with or
 * without the key's lock. The result of a read stays in the fields until the next one. The caller
 * has pinned its epoch. Not thread-safe.
 */
public final class VersionReader {
  /**
   * Number of polls after which a reader that waits for a cell checks whether it is being written.
   */
  private static final int PATIENCE = 64;

  /** Returned instead of an outcome if the CVT has to be read again. */
  private static final Outcome AGAIN = null;

  /** Number of changes of a row during one read after which the reader begins to pause. */
  private static final int CHANGES_UNNOTICED = 8;

  /**
   * Number of changes after which the row counts as damaged. Reached after some seconds, with the
   * pauses, which is longer than any writer takes.
   */
  private static final int CHANGES_MAX = 20_000;

  private final Environment environment;
  private final Channel channel;
  private final MemorySegment staging;
  private final Epochs epochs;
  private final KeyLocks locks;
  private final Sharing sharing;

  private final CancellationToken cancellation;

  private final RecordReadCache records;

  private final CvtReads reads;

  /** Null under LOTUS. */
  private final RowGuard guard;

  private long word0;
  private long version;
  private long lotusKey;
  private long recordOffset;

  public VersionReader(
      CoordinatorContext context,
      KeyLocks locks,
      CancellationToken cancellation,
      TransactionReadCache cache,
      RowGuard guard) {
    this.environment = context.environment();
    this.channel = context.channel();
    this.staging = channel.staging();
    this.epochs = context.epochs();
    this.locks = locks;
    this.sharing = context.sharing();
    this.cancellation = cancellation;
    this.records = cache.records();
    this.reads = new CvtReads(context, 1);
    this.guard = guard;
  }

  /** Returns true if other compute nodes may use the pool, too. */
  boolean isShared() {
    return sharing.isShared();
  }

  /** Returns the version of the chosen cell. */
  public long version() {
    return version;
  }

  public boolean isDeleted() {
    return CellLayout.isDeleted(word0);
  }

  /** Returns true if rows that are read under the locks of their keys pass a {@link RowGuard}. */
  boolean isGuarded() {
    return guard != null;
  }

  /** See {@link RowGuard#post}. The transaction holds the lock of the key. */
  void postGuard(int i, TableStore table, long key, long cvt) {
    boolean isWrite = locks.holds(key, LockMode.WRITE);
    guard.post(i, table, cvt, isWrite ? LockMode.WRITE : LockMode.READ);
  }

  /** See {@link RowGuard#judge}. The CVT was read into the staging buffer. */
  Outcome judge(int i, TableStore table, int cvtOffset) {
    int cells = table.versions();
    int cell =
        CvtLayout.isOf(staging, cvtOffset, table.id(), cells)
            ? VisibilityRules.newest(staging, cvtOffset, cells)
            : VisibilityRules.NONE;
    return guard.judge(
        i, cell < 0 ? 0 : CellLayout.version(CvtLayout.word1(staging, cvtOffset, cell)));
  }

  /**
   * Reads the CVT into the staging buffer; returns its offset there. On a remote fabric the inline
   * slot is read with it, so that a record in it needs no separate read. The caller has locked the
   * row, or uses versions of a snapshot that was taken before ({@link CvtReads}).
   */
  public int readCvt(TableStore table, long cvt) {
    reads.begin();
    int offset = reads.add(0, table, cvt);
    reads.post();
    channel.flush();
    records.confirm();
    return offset;
  }

  /** Does the same for a row that passes a {@link RowGuard}. */
  int readGuardedCvt(TableStore table, long cvt) {
    int offset = reads.postGuarded(0, table, cvt);
    channel.flush();
    records.confirm();
    return offset;
  }

  /**
   * Discards the inline slot that was read, since it does not belong to the next copy of the CVT.
   */
  void skipInline() {
    reads.skip(0);
  }

  /** Copies a cached CVT into the staging buffer; returns its offset there. */
  int stageCvt(CachedCvt known, int bytes) {
    skipInline();
    int offset = channel.reserve(bytes);
    known.copyTo(staging, offset);
    return offset;
  }

  /**
   * Chooses the newest version in a CVT copy, under the key's lock; returns false if there is none.
   * If a failed compute node has left all cells half-written, the newest version is the first one
   * in the overflow chain.
   */
  public boolean chooseNewest(int cvtOffset, int cells) {
    lotusKey = CvtLayout.lotusKey(staging, cvtOffset);
    int cell = VisibilityRules.newest(staging, cvtOffset, cells);
    if (cell >= 0) {
      take(cvtOffset, cell);
      return true;
    }
    long block = CvtLayout.overflow(staging, cvtOffset);
    if (block == PoolAddress.NULL) {
      return false;
    }
    int offset = channel.reserve(OverflowLayout.LENGTH);
    channel.read(block, offset, OverflowLayout.LENGTH);
    channel.flush();
    word0 = OverflowLayout.word0(staging, offset);
    version = CellLayout.version(OverflowLayout.word1(staging, offset));
    return true;
  }

  private void take(long cvtOffset, int cell) {
    word0 = CvtLayout.word0(staging, cvtOffset, cell);
    version = CellLayout.version(CvtLayout.word1(staging, cvtOffset, cell));
  }

  /**
   * Chooses the version that a snapshot sees, without a lock, and reads its record. Returns OK
   * (fields and record are set), NOT_FOUND (the snapshot sees nothing, or a deletion), CANCELLED,
   * TOO_OLD, or CONFLICT if other compute nodes wait for the end of the transaction while it waits
   * for a cell.
   *
   * <p>Once the forced horizon has passed the snapshot, the memory that it reads may have been
   * reused. So the age of the snapshot is checked after each READ, before a pointer or a length
   * from the READ is followed, and before each wait.
   *
   * @param cvtOffset offset of a staging area of the CVT's size that already holds a copy of it;
   *     the CVT is read into it again as needed
   */
  public Outcome readVisible(long cvt, int cvtOffset, int cvtBytes, int cells, Snapshot snapshot) {
    int mark = channel.mark();
    int changing = 0;
    int same = 0;
    for (int attempt = 0; ; attempt++) {
      if (isTooOld(snapshot)) {
        return Outcome.TOO_OLD;
      }
      lotusKey = CvtLayout.lotusKey(staging, cvtOffset);
      int cell = VisibilityRules.visible(staging, cvtOffset, cells, snapshot, false);
      if (cell == VisibilityRules.UNSETTLED
          && attempt >= PATIENCE
          && isAbandoned(cvt, cvtOffset, cvtBytes, cells)) {
        cell = VisibilityRules.visible(staging, cvtOffset, cells, snapshot, true);
      }
      Outcome status;
      if (cell == VisibilityRules.NONE) {
        return Outcome.NOT_FOUND;
      } else if (cell == VisibilityRules.UNSETTLED) {
        status = pause(attempt);
      } else if (cell == VisibilityRules.NEWER_ONLY) {
        return readOverflow(cvt, cvtOffset, snapshot);
      } else {
        long word0Before = word0;
        long versionBefore = version;
        take(cvtOffset, cell);
        same = word0 == word0Before && version == versionBefore ? same + 1 : 0;
        boolean sure = isSure(cvt, cvtOffset, cvtBytes, cells, cell);
        status = !sure ? AGAIN : isDeleted() ? absent(snapshot) : readChecked(snapshot);
        if (status == AGAIN && ++changing > CHANGES_UNNOTICED) {
          status = pauseForChange(changing, same, cvt);
        }
      }
      if (status != AGAIN) {
        return status;
      }
      channel.release(mark);
      reread(cvt, cvtOffset, cvtBytes);
    }
  }

  /**
   * Returns true if the torn or INVISIBLE cells were left by a failed compute node.
   *
   * <p>A writer of cells holds the key's write lock until the cells have their timestamp, and the
   * locks of a failed compute node are released only after its logs have been recovered. So the
   * cells are abandoned if no other transaction has the lock, and the cells are the same before and
   * after this was checked.
   *
   * @throws NelumboException DATA_CORRUPTED if the pool is exclusive, since the writers of this
   *     compute node leave no such cells
   */
  private boolean isAbandoned(long cvt, int cvtOffset, int cvtBytes, int cells) {
    long[] before = new long[2 * cells];
    for (int cell = 0; cell < cells; cell++) {
      before[2 * cell] = CvtLayout.word0(staging, cvtOffset, cell);
      before[2 * cell + 1] = CvtLayout.word1(staging, cvtOffset, cell);
    }
    if (locks.mayBeWritten(lotusKey)) {
      return false;
    }
    reread(cvt, cvtOffset, cvtBytes);
    for (int cell = 0; cell < cells; cell++) {
      if (before[2 * cell] != CvtLayout.word0(staging, cvtOffset, cell)
          || before[2 * cell + 1] != CvtLayout.word1(staging, cvtOffset, cell)) {
        return false;
      }
    }
    if (!sharing.isShared()) {
      throw damaged(
          cvt, "its version has no timestamp or is torn, although no transaction is writing it");
    }
    return true;
  }

  private Outcome pause(int attempt) {
    if (cancellation.isSet()) {
      return Outcome.CANCELLED;
    }
    if (attempt >= PATIENCE && locks.mustEnd()) {
      return locks.giveWay(); // the awaited writer may wait for the end of this transaction
    }
    environment.backoff(attempt);
    return AGAIN;
  }

  /**
   * Throws if the row seems to change all the time: it is then damaged, unless its writer is very
   * slow. A row whose cell is the same in each copy is also damaged, since its record does not
   * change then.
   */
  private Outcome pauseForChange(int times, int same, long cvt) {
    if (times > CHANGES_MAX || same > PATIENCE) {
      throw damaged(cvt, "its record does not belong to its version");
    }
    return pause(times);
  }

  static NelumboException damaged(long cvt, String why) {
    return new NelumboException(
        ErrorCode.DATA_CORRUPTED, "a row is damaged: " + why + " cvt=" + PoolAddress.toString(cvt));
  }

  /**
   * Checks an address to which an index entry of a LOTUS key led, and which is not a CVT of the
   * table, or is the CVT of a key with a different hash entry. There are two legal causes. An entry
   * of a secondary index outlives its row. On several memory nodes, the entry of a row that is
   * being inserted may be written before its CVT. If neither is the case, the CVT is damaged. The
   * caller has a copy of the CVT in the staging buffer, and neither its snapshot nor its address is
   * too old.
   *
   * @param primaryKey primary key of the row; null if unknown, then a table without a hash index is
   *     not checked
   * @param isLocked true if the caller holds the lock of the key
   * @throws NelumboException DATA_CORRUPTED if the CVT is damaged
   */
  void checkStray(
      TableStore table, long key, KeyBuffer primaryKey, long cvt, int cvtOffset, boolean isLocked) {
    long found = CvtLayout.lotusKey(staging, cvtOffset);
    boolean isCvt = CvtLayout.isOf(staging, cvtOffset, table.id(), table.versions());
    if (isCvt && (found == 0 || found == key || HashIndex.areAlike(found, key))) {
      return;
    }
    if (!isLocked && locks.mayBeWritten(key)) {
      return;
    }
    int mark = channel.mark();
    int offset = channel.reserve(table.cvtBytes());
    boolean isEntered = isEntered(table, key, primaryKey, cvt);
    channel.read(cvt, offset, table.cvtBytes());
    channel.flush();
    boolean isSame =
        CvtLayout.lotusKey(staging, offset) == found
            && CvtLayout.isOf(staging, offset, table.id(), table.versions()) == isCvt;
    channel.release(mark);
    if (isEntered && isSame) {
      throw damaged(cvt, "an index points to it, but it does not exist");
    }
  }

  private boolean isEntered(TableStore table, long key, KeyBuffer primaryKey, long cvt) {
    if (table.hash() != null) {
      return table.hash().contains(channel, key, cvt);
    }
    return primaryKey != null
        && table.keyTree().get(channel, primaryKey.bytes, primaryKey.length) == cvt;
  }

  /**
   * Checks a record whose key is not the one that led to its CVT. Two keys may share one LOTUS key;
   * if the record's key has another LOTUS key, the record does not belong to this CVT, and is
   * damaged.
   */
  public static void checkKey(TableStore table, long lotusKey, RowBuffer image, long cvt) {
    RowLayout layout = table.layout();
    int length = layout.keyLength(image.bytes, image.offset);
    if (layout.lotusKey(image.bytes, image.offset, length) != lotusKey) {
      throw anotherRow(cvt);
    }
  }

  /**
   * Checks that an image belongs to a key. Does nothing if the key was given a LOTUS key other than
   * its own, since rows may share that.
   */
  public static void checkKey(TableStore table, KeyBuffer key, RowBuffer image, long cvt) {
    if (table.layout().lotusKey(key.bytes, 0, key.length) == key.lotusKey) {
      checkKey(table, key.lotusKey, image, cvt);
    }
  }

  /** Returns the error for a CVT that leads to the record of another row. */
  public static NelumboException anotherRow(long cvt) {
    return damaged(cvt, "its record belongs to another row");
  }

  /**
   * Implements case 2: a version that is not the newest of its copy counts only if its cell is
   * unchanged in a second copy. The same holds for a deletion, which has no record to check.
   */
  private boolean isSure(long cvt, int cvtOffset, int cvtBytes, int cells, int cell) {
    if (VisibilityRules.isNewest(staging, cvtOffset, cells, cell) && !isDeleted()) {
      return true;
    }
    long word1 = CvtLayout.word1(staging, cvtOffset, cell);
    reread(cvt, cvtOffset, cvtBytes);
    return CvtLayout.word0(staging, cvtOffset, cell) == word0
        && CvtLayout.word1(staging, cvtOffset, cell) == word1;
  }

  private void reread(long cvt, int cvtOffset, int cvtBytes) {
    skipInline();
    channel.read(cvt, cvtOffset, cvtBytes);
    channel.flush();
  }

  /**
   * Implements case 4 of {@code docs/internals/reading-a-version.md}: reads the record and checks
   * it.
   */
  private Outcome readChecked(Snapshot snapshot) {
    readRecord();
    if (isTooOld(snapshot)) {
      return Outcome.TOO_OLD;
    }
    if (RecordLayout.predecessor(staging, recordOffset) >= version) {
      return AGAIN;
    }
    rememberRecord();
    return Outcome.OK;
  }

  /** Reads the record of the chosen cell into the staging buffer, from the cache or the pool. */
  public void readRecord() {
    if (records.isEmpty() || !restore(word0, version)) {
      readRecord(word0);
    }
  }

  private void rememberRecord() {
    int bytes = SizeClass.bytes(CellLayout.sizeClass(word0));
    records.put(CellLayout.address(word0), version, staging, (int) recordOffset, bytes);
  }

  private boolean restore(long cellWord0, long cellVersion) {
    int bytes = SizeClass.bytes(CellLayout.sizeClass(cellWord0));
    int mark = channel.mark();
    recordOffset = channel.reserve(bytes);
    boolean known =
        records.get(CellLayout.address(cellWord0), cellVersion, staging, (int) recordOffset, bytes);
    if (!known) {
      channel.release(mark);
    }
    return known;
  }

  /** Reads the record that a cell points to into the staging buffer. */
  void readRecord(long cellWord0) {
    int place = reads.recordOffset(0, cellWord0);
    if (place != CvtReads.NOWHERE) {
      recordOffset = place;
      return;
    }
    int bytes = SizeClass.bytes(CellLayout.sizeClass(cellWord0));
    recordOffset = channel.reserve(bytes);
    channel.read(CellLayout.address(cellWord0), (int) recordOffset, bytes);
    channel.flush();
    records.confirm();
  }

  /** Returns OK, or TOO_OLD if versions that the snapshot needs may have been reused. */
  Outcome checkAge(Snapshot snapshot) {
    return isTooOld(snapshot) ? Outcome.TOO_OLD : Outcome.OK;
  }

  private boolean isTooOld(Snapshot snapshot) {
    return snapshot.low() < epochs.forcedHorizon();
  }

  /** Makes a record that is already in the staging buffer the current one. */
  public void selectRecord(int stagingOffset) {
    recordOffset = stagingOffset;
  }

  /**
   * Implements case 3: reads the overflow pointer after the cells, then the chain, which is sorted
   * from new to old.
   */
  private Outcome readOverflow(long cvt, int cvtOffset, Snapshot snapshot) {
    channel.read(cvt + CvtLayout.OVERFLOW_OFFSET, cvtOffset, Long.BYTES);
    channel.flush();
    if (isTooOld(snapshot)) {
      return Outcome.TOO_OLD;
    }
    long block = staging.get(ValueLayout.JAVA_LONG, cvtOffset);
    int blockOffset = channel.reserve(OverflowLayout.LENGTH);
    while (block != PoolAddress.NULL) {
      channel.read(block, blockOffset, OverflowLayout.LENGTH);
      channel.flush();
      if (isTooOld(snapshot)) {
        return Outcome.TOO_OLD;
      }
      long candidate = CellLayout.version(OverflowLayout.word1(staging, blockOffset));
      if (snapshot.sees(candidate)) {
        word0 = OverflowLayout.word0(staging, blockOffset);
        version = candidate;
        if (isDeleted()) {
          return absent(snapshot);
        }
        readRecord();
        return checkAge(snapshot);
      }
      block = OverflowLayout.next(staging, blockOffset);
    }
    return absent(snapshot);
  }

  /** Returns NOT_FOUND, or TOO_OLD if the row may have existed. */
  Outcome absent(Snapshot snapshot) {
    return isTooOld(snapshot) ? Outcome.TOO_OLD : Outcome.NOT_FOUND;
  }

  /**
   * Reads a record that contains the row's key, after {@link #chooseNewest} and under the key's
   * lock. This is the record of the chosen version or, for a deletion without a record, the record
   * of the version before. A CVT keeps that record until a version is written after the deletion;
   * if the compute node of that writer failed before the commit, there is no such record.
   *
   * @return false if there is none
   * @throws IllegalStateException if there is none although the pool is exclusive
   */
  boolean readKeyRecord(int cvtOffset, int cells) {
    if (CellLayout.hasRecord(word0)) {
      readRecord();
      rememberRecord();
      return true;
    }
    int before = VisibilityRules.newestWithRecord(staging, cvtOffset, cells);
    if (before < 0 && sharing.isShared()) {
      return false;
    }
    if (before < 0) {
      throw new IllegalStateException(
          "a CVT without a record lotusKey=" + Long.toHexString(lotusKey));
    }
    long word0Before = CvtLayout.word0(staging, cvtOffset, before);
    long versionBefore = CellLayout.version(CvtLayout.word1(staging, cvtOffset, before));
    if (records.isEmpty() || !restore(word0Before, versionBefore)) {
      readRecord(word0Before);
    }
    return true;
  }

  /**
   * Returns the length in bytes of the image (key and row) in the staging buffer.
   *
   * @param least smallest legal length: {@link RowLayout#leastImageBytes} for a row, 0 for a record
   *     that may be a deletion, which has only a key
   * @throws NelumboException DATA_CORRUPTED (XX001) if the length is impossible
   */
  int imageLength(int least) {
    return imageLength(RecordLayout.length(staging, recordOffset), least, RowLayout.MAX_ROW_BYTES);
  }

  /** Returns the length of the image in a record of {@code recordLength} bytes, as above. */
  static int imageLength(int recordLength, int least, int most) {
    int length = recordLength - RecordLayout.KEY_OFFSET;
    if (length < least || length > most) {
      throw new NelumboException(
          ErrorCode.DATA_CORRUPTED, "a row is damaged: it cannot have so many bytes=" + length);
    }
    return length;
  }

  /** Copies the image (key and row) of the record in the staging buffer. */
  public void copyImage(RowBuffer out, int least) {
    int length = imageLength(least);
    out.reset(length);
    copyImage(out.bytes, out.offset, length);
  }

  void copyImage(byte[] target, int offset, int length) {
    MemorySegment.copy(
        staging,
        ValueLayout.JAVA_BYTE,
        recordOffset + RecordLayout.KEY_OFFSET,
        target,
        offset,
        length);
  }
}
