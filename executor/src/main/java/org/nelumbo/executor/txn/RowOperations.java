package org.nelumbo.executor.txn;

import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.context.ChangeTracker;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.context.PoolMemory;
import org.nelumbo.executor.index.IndexJournal;
import org.nelumbo.executor.index.IndexWriter;
import org.nelumbo.executor.insert.InsertUndo;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Snapshot;
import org.nelumbo.executor.version.CvtWriter;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.RowFinder;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * Gets, inserts, replaces and deletes single rows of a transaction. Each operation locks the row,
 * finds it in the write set or the pool, updates the indexes, and adds the new image to the write
 * set. Not thread-safe.
 */
final class RowOperations {
  private final ReadView view;
  private final PoolMemory memory;
  private final ChangeTracker changes;
  private final CriticalSection critical;
  private final Channel channel;
  private final PoolAllocator allocator;
  private final KeyLocks locks;
  private final RowFinder finder;
  private final WriteSet writes;
  private final IndexJournal journal;
  private final IndexWriter indexWriter;

  private final VersionSlotPlan plan = new VersionSlotPlan();

  private final RowBuffer oldImage = new RowBuffer();
  private final LastRead lastRead = new LastRead();

  private LockedRows lastBatch;

  private final HashProbe probe = new HashProbe();
  private final InsertUndo undo;
  private final CvtWriter cvts;
  private final KeyBuffer freshKey = new KeyBuffer();

  /** Write-set entry that {@link #prepareWrite} found, or -1. */
  private int lastWrite;

  private long lastCvt;

  /**
   * The last row that a transaction read under its write lock. Its CVT stays unchanged by others
   * until the transaction ends, so a subsequent write need not read it again.
   */
  private static final class LastRead {
    /** Slot plan for the row's new version; filled in by the read. */
    final VersionSlotPlan plan = new VersionSlotPlan();

    private final KeyBuffer key = new KeyBuffer();
    private TableStore table;
    private long cvt;
    private long readIn;

    /** Records a row that was just read in the transaction with that generation. */
    void set(TableStore ofTable, KeyBuffer rowKey, long rowCvt, long generation) {
      table = ofTable;
      key.copyFrom(rowKey);
      cvt = rowCvt;
      readIn = generation;
    }

    /** Records a row that is given by its image, which begins with its key. */
    void set(TableStore ofTable, RowBuffer image, long lotusKey, long rowCvt, long generation) {
      table = ofTable;
      key.clear();
      key.append(image.bytes, image.offset, ofTable.layout().keyLength(image.bytes, image.offset));
      key.lotusKey = lotusKey;
      cvt = rowCvt;
      readIn = generation;
    }

    void forget() {
      table = null;
    }

    /** Returns true if this is the given row, read in the transaction with that generation. */
    boolean isOf(TableStore wanted, KeyBuffer rowKey, long generation) {
      return table == wanted
          && readIn == generation
          && key.lotusKey == rowKey.lotusKey
          && Arrays.equals(key.bytes, 0, key.length, rowKey.bytes, 0, rowKey.length);
    }

    long cvt() {
      return cvt;
    }
  }

  RowOperations(TransactionContext context) {
    this.view = context.view;
    this.memory = context.coordinator.memory();
    this.changes = context.coordinator.changes();
    this.critical = context.coordinator.critical();
    this.channel = context.coordinator.channel();
    this.allocator = context.coordinator.allocator();
    this.locks = context.locks;
    this.finder = context.finder;
    this.writes = context.writes;
    this.journal = context.journal;
    this.indexWriter = context.indexWriter;
    this.undo = context.insertUndo;
    this.cvts = new CvtWriter(channel);
  }

  private Outcome findVisible(TableStore table, KeyBuffer rowKey, RowBuffer out) {
    view.beginCall();
    Outcome status;
    do {
      status = finder.findVisible(table, rowKey, view.snapshot(), out);
    } while (view.mustReadAgain());
    return status;
  }

  /** See {@link Transaction#get}. */
  Outcome get(TableStore table, KeyBuffer rowKey, LockMode lockMode, RowBuffer out) {
    if (locks.isOverdue()) {
      return locks.giveWay();
    }
    boolean locked = view.locksReads(lockMode);
    if (locked) {
      // The prefetch of the index window overlaps with the cache miss of the lock.
      table.prefetch(channel, rowKey.lotusKey);
      Outcome status = locks.acquire(rowKey.lotusKey, lockMode);
      if (status != Outcome.OK) {
        return status;
      }
    }
    int write = writes.find(table, rowKey.lotusKey, rowKey.bytes, 0, rowKey.length);
    if (write >= 0) {
      if (!writes.isPresent(write)) {
        return Outcome.NOT_FOUND;
      }
      out.copy(writes.images(), writes.imageOffset(write), writes.imageLength(write));
      return Outcome.OK;
    }
    view.pin();
    Outcome status =
        !locked
            ? findVisible(table, rowKey, out)
            : lockMode == LockMode.WRITE
                ? readLocked(table, rowKey, out)
                : findLocked(table, rowKey, out, null);
    view.unpin();
    return status;
  }

  /** See {@link UnlockedRead#lock}. */
  Outcome lockUnchanged(TableStore table, KeyBuffer rowKey, LockMode lockMode, Snapshot moment) {
    Outcome status = locks.acquireNow(rowKey.lotusKey, lockMode);
    if (status != Outcome.OK) {
      return status;
    }
    if (writes.find(table, rowKey.lotusKey, rowKey.bytes, 0, rowKey.length) >= 0) {
      return Outcome.OK;
    }
    view.pin();
    lastRead.forget();
    status = finder.findLocked(table, rowKey, locks.rowAddress(), oldImage, lastRead.plan);
    locks.setRowAddress(finder.cvt());
    if (!moment.sees(finder.version()) || status == Outcome.CONFLICT) {
      status = Outcome.NOT_FOUND;
    } else if (status == Outcome.OK && lockMode == LockMode.WRITE) {
      lastRead.set(table, rowKey, finder.cvt(), view.generation());
    }
    view.unpin();
    return status;
  }

  /**
   * Finds a row in the pool under its lock, which was the last lock acquired.
   *
   * @param slotPlan filled in for a change of the row; null if it will not be changed
   */
  private Outcome findLocked(
      TableStore table, KeyBuffer rowKey, RowBuffer out, VersionSlotPlan slotPlan) {
    assert locks.holds(rowKey.lotusKey) : "read as if locked";
    assert view.isPinned() : "follows an address without a pinned epoch";
    Outcome status = finder.findLocked(table, rowKey, locks.rowAddress(), out, slotPlan);
    locks.setRowAddress(finder.cvt());
    return view.judge(finder.version(), status);
  }

  /**
   * Inserts a row. Returns OK, DUPLICATE (see {@link Transaction#violatedIndex}), EXHAUSTED, or the
   * failure.
   *
   * @param image the whole row, beginning with its normalised primary key, which is {@code rowKey}
   */
  Outcome insert(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    indexWriter.requireKeysFit(table, rowKey, image);
    table.prefetchForInsert(channel, rowKey.lotusKey);
    Outcome status = locks.acquire(rowKey.lotusKey, LockMode.WRITE);
    if (status == Outcome.OK) {
      status = locks.hold();
    }
    if (status != Outcome.OK) {
      return status;
    }
    indexWriter.clearViolated();
    int write = writes.find(table, rowKey.lotusKey, rowKey.bytes, 0, rowKey.length);
    view.pin();
    if (write >= 0) {
      status = writes.isPresent(write) ? Outcome.DUPLICATE : revive(table, write, image);
    } else {
      int mark = channel.mark();
      status = insertNew(table, rowKey, image);
      channel.release(mark);
    }
    view.unpin();
    return status;
  }

  private Outcome insertNew(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    Outcome status = finder.findForInsert(table, rowKey, oldImage, plan, probe);
    locks.setRowAddress(finder.cvt());
    status = view.judge(finder.version(), status);
    if (status != Outcome.NOT_FOUND) {
      return status == Outcome.OK ? Outcome.DUPLICATE : status;
    }
    status = create(table, rowKey, image);
    if (status == Outcome.EXHAUSTED) {
      memory.refreshHorizon();
      status = create(table, rowKey, image);
    }
    return status;
  }

  private Outcome revive(TableStore table, int write, RowBuffer image) {
    int mark = journal.size();
    Outcome status =
        indexWriter.addEntries(table, image, writes.lotusKey(write), writes.cvt(write));
    if (status != Outcome.OK) {
      indexWriter.rollbackTo(mark);
      return status;
    }
    writes.put(write, image);
    return Outcome.OK;
  }

  private Outcome create(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    writes.reserve(1, rowKey.length + image.length); // before there is anything to undo
    long cvt = finder.cvt();
    boolean fresh = cvt == PoolAddress.NULL;
    int blockClass = table.blockClass(image.length);
    if (fresh) {
      cvt = table.allocate(allocator, blockClass, rowKey.lotusKey);
      if (cvt == PoolAddress.NULL) {
        return Outcome.EXHAUSTED;
      }
      cvts.writeEmptyCvt(table, rowKey.lotusKey, cvt, blockClass);
      plan.planFresh(blockClass);
    }
    int mark = journal.size();
    Outcome status =
        fresh
            ? indexWriter.addRow(table, rowKey, cvt, probe)
            : indexWriter.restoreEntry(table, rowKey, cvt);
    if (status == Outcome.OK) {
      status = indexWriter.addEntries(table, image, rowKey.lotusKey, cvt);
    }
    if (status != Outcome.OK) {
      indexWriter.rollbackTo(mark);
      if (fresh) {
        removeFresh(table, rowKey, cvt, blockClass);
      }
      return status;
    }
    if (!fresh && table.versions() > 1 && finder.isImageKnown()) {
      indexWriter.noteReplaced(table, oldImage, image, rowKey.lotusKey, cvt);
    }
    note(table, rowKey, image, cvt, fresh);
    return Outcome.OK;
  }

  /**
   * A critical section: indexes already lead to the row, so it would stay for ever without a
   * write-set entry.
   */
  private void note(TableStore table, KeyBuffer rowKey, RowBuffer image, long cvt, boolean fresh) {
    try {
      critical.begin();
      noteWrite(table, rowKey, image, cvt, fresh);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  private void noteWrite(
      TableStore table, KeyBuffer rowKey, RowBuffer image, long cvt, boolean fresh) {
    locks.acquire(rowKey.lotusKey, LockMode.WRITE);
    locks.setRowAddress(cvt);
    assert locks.holds(rowKey.lotusKey, LockMode.WRITE) : "written without its lock";
    int write = writes.add(table, rowKey, cvt, false, fresh);
    writes.plan(write).copyFrom(plan);
    writes.put(write, image);
  }

  /** Adds a new row, whose lock is held and whose CVT was just created, to the write set. */
  void noteFresh(TableStore table, KeyBuffer rowKey, RowBuffer image, long cvt) {
    plan.planFresh(table.blockClass(image.length));
    note(table, rowKey, image, cvt, true);
  }

  private void removeFresh(TableStore table, KeyBuffer rowKey, long cvt, int blockClass) {
    try {
      critical.begin();
      undo.begin();
      undo.add(table, rowKey.bytes, rowKey.length, rowKey.lotusKey, cvt, blockClass);
      undo.run();
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  /**
   * Replaces a row; the primary key does not change. Returns OK, NOT_FOUND, DUPLICATE (a unique
   * index), EXHAUSTED, or the failure.
   */
  Outcome update(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    view.requireWritable();
    indexWriter.requireKeysFit(table, rowKey, image);
    view.pin();
    Outcome status = prepareWrite(table, rowKey);
    if (status == Outcome.OK) {
      status = replace(table, rowKey, image);
    }
    view.unpin();
    return status;
  }

  private Outcome replace(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    int mark = journal.size();
    int write = lastWrite;
    Outcome status = Outcome.OK;
    changes.begin();
    if (table.indexes().length > 0) {
      status = locks.hold();
    }
    if (table.indexes().length > 0 && status == Outcome.OK) {
      status = indexWriter.changeEntries(table, oldImage, image, rowKey.lotusKey, lastCvt);
    }
    if (status == Outcome.OK) {
      writes.put(write >= 0 ? write : addWrite(table, rowKey), image);
    } else {
      indexWriter.rollbackTo(mark);
    }
    changes.end();
    return status;
  }

  /** Deletes a row. Returns OK, NOT_FOUND, or the failure. */
  Outcome delete(TableStore table, KeyBuffer rowKey) {
    view.requireWritable();
    view.pin();
    Outcome status = prepareWrite(table, rowKey);
    if (status == Outcome.OK) {
      status = remove(table, rowKey);
    }
    view.unpin();
    return status;
  }

  private Outcome remove(TableStore table, KeyBuffer rowKey) {
    int write = lastWrite;
    Outcome status = Outcome.OK;
    if (table.indexes().length > 0) {
      status = indexWriter.dropEntries(table, oldImage, rowKey.lotusKey, lastCvt, write >= 0);
    }
    if (status == Outcome.OK) {
      writes.remove(write >= 0 ? write : addWrite(table, rowKey));
    }
    return status;
  }

  /**
   * Does the same as {@link Transaction#update} for a row whose CVT this transaction has read under
   * its write lock.
   *
   * @param cvt address of the CVT
   * @param known slot plan that was made from the CVT
   * @param knownImage image of the row as it was read
   */
  Outcome updateKnown(
      TableStore table,
      KeyBuffer rowKey,
      long cvt,
      VersionSlotPlan known,
      RowBuffer knownImage,
      RowBuffer image) {
    view.requireWritable();
    indexWriter.requireKeysFit(table, rowKey, image);
    view.pin();
    Outcome status =
        prepareKnown(table, rowKey, cvt, known, knownImage)
            ? replace(table, rowKey, image)
            : Outcome.NOT_FOUND;
    view.unpin();
    return status;
  }

  /**
   * Does the same as {@link Transaction#delete} for a row whose CVT this transaction has read under
   * its write lock.
   */
  Outcome deleteKnown(
      TableStore table, KeyBuffer rowKey, long cvt, VersionSlotPlan known, RowBuffer knownImage) {
    view.requireWritable();
    view.pin();
    Outcome status =
        prepareKnown(table, rowKey, cvt, known, knownImage)
            ? remove(table, rowKey)
            : Outcome.NOT_FOUND;
    view.unpin();
    return status;
  }

  /** Returns false if the transaction has deleted the row. */
  private boolean prepareKnown(
      TableStore table, KeyBuffer rowKey, long cvt, VersionSlotPlan known, RowBuffer knownImage) {
    indexWriter.clearViolated();
    lastWrite = writes.find(table, rowKey.lotusKey, rowKey.bytes, 0, rowKey.length);
    lastCvt = cvt;
    if (lastWrite < 0) {
      plan.copyFrom(known);
      oldImage.wrap(knownImage);
      return true;
    }
    return showOwn();
  }

  /** Returns false if that write is a deletion. */
  private boolean showOwn() {
    if (!writes.isPresent(lastWrite)) {
      return false;
    }
    oldImage.copy(writes.images(), writes.imageOffset(lastWrite), writes.imageLength(lastWrite));
    return true;
  }

  /**
   * If the table has secondary indexes, {@link #oldImage} holds the present image of the row
   * afterwards.
   */
  private Outcome prepareWrite(TableStore table, KeyBuffer rowKey) {
    if (locks.isOverdue()) {
      return locks.giveWay();
    }
    Outcome status = locks.acquire(rowKey.lotusKey, LockMode.WRITE);
    if (status != Outcome.OK) {
      return status;
    }
    indexWriter.clearViolated();
    lastWrite = writes.find(table, rowKey.lotusKey, rowKey.bytes, 0, rowKey.length);
    if (lastWrite < 0) {
      if (table.indexes().length == 0 && lastRead.isOf(table, rowKey, view.generation())) {
        plan.copyFrom(lastRead.plan);
        lastCvt = lastRead.cvt();
        return Outcome.OK;
      }
      Outcome found = findLocked(table, rowKey, oldImage, plan);
      lastCvt = finder.cvt();
      return found;
    }
    lastCvt = writes.cvt(lastWrite);
    return showOwn() ? Outcome.OK : Outcome.NOT_FOUND;
  }

  /**
   * Records a row that was read under its write lock, so that it can be changed without another
   * read.
   */
  void noteLocked(
      TableStore table, RowBuffer image, long lotusKey, long cvt, VersionSlotPlan rowPlan) {
    lastRead.set(table, image, lotusKey, cvt, view.generation());
    lastRead.plan.copyFrom(rowPlan);
  }

  /** Records a batch whose rows need not be read again while the transaction lasts. */
  void noteBatch(LockedRows batch) {
    lastBatch = batch;
  }

  /** Reads a row whose write lock was just acquired and which is not in the write set. */
  Outcome readLocked(TableStore table, KeyBuffer rowKey, RowBuffer out) {
    lastRead.forget();
    int i = lastBatch == null ? -1 : lastBatch.find(table, rowKey);
    if (i >= 0) {
      lastBatch.row(i, out);
      lastRead.plan.copyFrom(lastBatch.plan(i));
      lastRead.set(table, rowKey, lastBatch.cvt(i), view.generation());
      return Outcome.OK;
    }
    Outcome status = findLocked(table, rowKey, out, lastRead.plan);
    if (status == Outcome.OK) {
      lastRead.set(table, rowKey, finder.cvt(), view.generation());
    }
    return status;
  }

  private int addWrite(TableStore table, KeyBuffer rowKey) {
    assert locks.holds(rowKey.lotusKey, LockMode.WRITE) : "written without its lock";
    int write = writes.add(table, rowKey, lastCvt, true, false);
    writes.plan(write).copyFrom(plan);
    return write;
  }

  /**
   * Removes CVTs that this transaction created for new rows.
   *
   * @param all true for an abort, which removes all of them; false removes only the CVTs of rows
   *     that the transaction has deleted again
   */
  void removeFreshRows(boolean all) {
    try {
      critical.begin();
      takeOutFreshRows(all);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  private void takeOutFreshRows(boolean all) {
    undo.begin();
    for (int write = 0; write < writes.size(); write++) {
      if (writes.isFresh(write) && (all || !writes.isPresent(write))) {
        freshKey.clear();
        freshKey.append(writes.images(), writes.imageOffset(write), writes.keyLength(write));
        TableStore table = writes.table(write);
        undo.add(
            table,
            freshKey.bytes,
            freshKey.length,
            writes.lotusKey(write),
            writes.cvt(write),
            writes.plan(write).blockClass());
      }
    }
    undo.run();
  }
}
