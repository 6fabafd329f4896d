package org.nelumbo.executor.txn;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.index.IndexJournal;
import org.nelumbo.executor.index.IndexWriter;
import org.nelumbo.executor.insert.InsertUndo;
import org.nelumbo.executor.lock.LockAcquirer;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.RowFinder;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * Inserts, replaces and deletes single rows of a transaction: locks the row, finds it in the write
 * set or the pool, keeps the indexes in step, and notes the new image in the write set. Outcomes
 * are those of {@link Transaction}. Not thread-safe.
 */
public final class RowMutations {
  private final Transaction transaction;
  private final ReadView view;
  private final Engine engine;
  private final Channel channel;
  private final PoolAllocator allocator;
  private final LockAcquirer locks;
  private final RowFinder finder;
  private final WriteSet writes;
  private final IndexJournal journal;
  private final IndexWriter indexWriter;

  /** Of the row that is being changed: where its new version goes, and its present image. */
  private final VersionSlotPlan plan = new VersionSlotPlan();

  private final RowBuffer oldImage = new RowBuffer();
  private final LockedRead lastRead = new LockedRead();

  /** The last batch of rows that was read under write locks, or null. */
  private PointBatch lastBatch;

  private final HashProbe probe = new HashProbe();
  private final InsertUndo freshRows;
  private final KeyBuffer freshKey = new KeyBuffer();

  /** Write-set entry that {@link #prepareWrite} found, or -1; and the row's CVT. */
  private int lastWrite;

  private long lastCvt;

  RowMutations(
      Transaction transaction, WriteSet writes, IndexJournal journal, IndexWriter indexWriter) {
    this.transaction = transaction;
    this.view = transaction.view();
    this.engine = transaction.coordinator().engine();
    this.channel = transaction.coordinator().channel();
    this.allocator = transaction.coordinator().allocator();
    this.locks = transaction.locks();
    this.finder = transaction.finder();
    this.writes = writes;
    this.journal = journal;
    this.indexWriter = indexWriter;
    this.freshRows = new InsertUndo(transaction.coordinator(), transaction.reader(), indexWriter);
  }

  /**
   * Inserts a row: OK, DUPLICATE (see {@link Transaction#violatedIndex}), EXHAUSTED, or the
   * failure.
   *
   * @param image the whole row, beginning with its normalised primary key, which is {@code rowKey}
   */
  int insert(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    indexWriter.requireKeysFit(table, rowKey, image);
    table.hash().prefetchForInsert(channel, rowKey.lotusKey);
    int status = locks.acquire(rowKey.lotusKey, LockTable.WRITE);
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

  /** A row that is not in the write set. */
  private int insertNew(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    int status = finder.findForInsert(table, rowKey, oldImage, plan, probe);
    locks.setRowAddress(finder.cvt());
    if (view.isTooNew(finder.version())) {
      return view.changedSinceSnapshot();
    } else if (status == Outcome.OK) {
      return Outcome.DUPLICATE;
    }
    status = create(table, rowKey, image);
    if (status == Outcome.EXHAUSTED) {
      engine.refreshHorizonForMemory();
      status = create(table, rowKey, image);
    }
    return status;
  }

  private int revive(TableStore table, int write, RowBuffer image) {
    int mark = journal.size();
    int status = indexWriter.addEntries(table, image, writes.lotusKey(write), writes.cvt(write));
    if (status != Outcome.OK) {
      indexWriter.rollbackTo(mark);
      return status;
    }
    writes.put(write, image);
    return Outcome.OK;
  }

  /** Puts the row into the CVT of a deleted row, or into a new one. */
  private int create(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    long cvt = finder.cvt();
    boolean fresh = cvt == PoolAddress.NULL;
    int blockClass = table.blockClass(image.length);
    if (fresh) {
      cvt = table.allocate(allocator, blockClass, rowKey.lotusKey);
      if (cvt == PoolAddress.NULL) {
        return Outcome.EXHAUSTED;
      }
      writeEmptyCvt(table, rowKey.lotusKey, cvt, blockClass);
      plan.planFresh(blockClass);
    }
    int mark = journal.size();
    int status = fresh ? indexWriter.addRow(table, rowKey, cvt, probe) : Outcome.OK;
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
    if (!fresh && table.versions() > 1) {
      indexWriter.noteReplaced(table, oldImage, image, rowKey.lotusKey, cvt);
    }
    note(table, rowKey, image, cvt, fresh);
    return Outcome.OK;
  }

  private void note(TableStore table, KeyBuffer rowKey, RowBuffer image, long cvt, boolean fresh) {
    locks.acquire(rowKey.lotusKey, LockTable.WRITE);
    locks.setRowAddress(cvt);
    int write = writes.add(table, rowKey, cvt, false, fresh);
    writes.plan(write).copyFrom(plan);
    writes.put(write, image);
  }

  /** Notes a new row, whose lock is held, with a CVT that was just made. */
  void noteFresh(TableStore table, KeyBuffer rowKey, RowBuffer image, long cvt) {
    plan.planFresh(table.blockClass(image.length));
    note(table, rowKey, image, cvt, true);
  }

  /** Posts it; the staging buffer is released by the caller, after the flush of the hash index. */
  public void writeEmptyCvt(TableStore table, long lotusKey, long cvt, int blockClass) {
    int offset = channel.reserve(table.cvtBytes());
    CvtLayout.writeEmpty(
        channel.staging(), offset, lotusKey, table.id(), table.versions(), blockClass);
    channel.write(cvt, offset, table.cvtBytes());
  }

  private void removeFresh(TableStore table, KeyBuffer rowKey, long cvt, int blockClass) {
    freshRows.begin();
    freshRows.add(table, rowKey.bytes, rowKey.length, rowKey.lotusKey, cvt, blockClass);
    freshRows.run();
  }

  /** What takes rows out again that this transaction has made. */
  public InsertUndo freshRows() {
    return freshRows;
  }

  /**
   * Replaces a row; the primary key stays. OK, NOT_FOUND, DUPLICATE (a unique index), EXHAUSTED, or
   * the failure.
   */
  int update(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    indexWriter.requireKeysFit(table, rowKey, image);
    view.pin();
    int status = prepareWrite(table, rowKey);
    if (status == Outcome.OK) {
      status = replace(table, rowKey, image);
    }
    view.unpin();
    return status;
  }

  private int replace(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    int mark = journal.size();
    int write = lastWrite;
    int status = Outcome.OK;
    transaction.coordinator().beginChange();
    if (table.indexes().length > 0) {
      status = indexWriter.changeEntries(table, oldImage, image, rowKey.lotusKey, lastCvt);
    }
    if (status == Outcome.OK) {
      writes.put(write >= 0 ? write : addWrite(table, rowKey), image);
    } else {
      indexWriter.rollbackTo(mark);
    }
    transaction.coordinator().endChange();
    return status;
  }

  /** Deletes a row: OK, NOT_FOUND, or the failure. */
  int delete(TableStore table, KeyBuffer rowKey) {
    view.pin();
    int status = prepareWrite(table, rowKey);
    if (status == Outcome.OK) {
      status = remove(table, rowKey);
    }
    view.unpin();
    return status;
  }

  private int remove(TableStore table, KeyBuffer rowKey) {
    int write = lastWrite;
    int status = Outcome.OK;
    if (table.indexes().length > 0) {
      status = indexWriter.dropEntries(table, oldImage, rowKey.lotusKey, lastCvt, write >= 0);
    }
    if (status == Outcome.OK) {
      writes.remove(write >= 0 ? write : addWrite(table, rowKey));
    }
    return status;
  }

  /**
   * {@link Transaction#update} of a row whose CVT this transaction has read under its write lock:
   * its address, the plan made from it, and its image as read.
   */
  int updateKnown(
      TableStore table,
      KeyBuffer rowKey,
      long cvt,
      VersionSlotPlan known,
      RowBuffer knownImage,
      RowBuffer image) {
    view.requireWritable();
    indexWriter.requireKeysFit(table, rowKey, image);
    view.pin();
    int status =
        prepareKnown(table, rowKey, cvt, known, knownImage)
            ? replace(table, rowKey, image)
            : Outcome.NOT_FOUND;
    view.unpin();
    return status;
  }

  /**
   * {@link Transaction#delete} of a row whose CVT this transaction has read under its write lock.
   */
  int deleteKnown(
      TableStore table, KeyBuffer rowKey, long cvt, VersionSlotPlan known, RowBuffer knownImage) {
    view.requireWritable();
    view.pin();
    int status =
        prepareKnown(table, rowKey, cvt, known, knownImage)
            ? remove(table, rowKey)
            : Outcome.NOT_FOUND;
    view.unpin();
    return status;
  }

  /** {@link #prepareWrite} without reading anything; false if the transaction deleted the row. */
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

  /** Shows the row of {@link #lastWrite} in {@link #oldImage}; false if it is not present. */
  private boolean showOwn() {
    if (!writes.isPresent(lastWrite)) {
      return false;
    }
    oldImage.copy(writes.images(), writes.imageOffset(lastWrite), writes.imageLength(lastWrite));
    return true;
  }

  /**
   * Locks the row and finds it, in the write set or in the pool; its present image is then in
   * {@link #oldImage} if the table has secondary indexes.
   */
  private int prepareWrite(TableStore table, KeyBuffer rowKey) {
    int status = locks.acquire(rowKey.lotusKey, LockTable.WRITE);
    if (status != Outcome.OK) {
      return status;
    }
    indexWriter.clearViolated();
    lastWrite = writes.find(table, rowKey.lotusKey, rowKey.bytes, 0, rowKey.length);
    if (lastWrite < 0) {
      if (table.indexes().length == 0 && lastRead.isOf(table, rowKey, transaction.generation())) {
        plan.copyFrom(lastRead.plan);
        lastCvt = lastRead.cvt();
        return Outcome.OK;
      }
      int found = transaction.findLocked(table, rowKey, oldImage, plan);
      lastCvt = finder.cvt();
      return found;
    }
    lastCvt = writes.cvt(lastWrite);
    return showOwn() ? Outcome.OK : Outcome.NOT_FOUND;
  }

  /** Notes a row that was read under its write lock, and need not be read again to be changed. */
  void noteLocked(
      TableStore table, RowBuffer image, long lotusKey, long cvt, VersionSlotPlan rowPlan) {
    lastRead.set(table, image, lotusKey, cvt, transaction.generation());
    lastRead.plan.copyFrom(rowPlan);
  }

  /** Rows of the batch need not be read again while the transaction lasts. */
  void noteBatch(PointBatch batch) {
    lastBatch = batch;
  }

  /** Reads a row whose write lock was just acquired, and which is not in the write set. */
  int readLocked(TableStore table, KeyBuffer rowKey, RowBuffer out) {
    lastRead.forget();
    int i = lastBatch == null ? -1 : lastBatch.findKnown(table, rowKey);
    if (i >= 0) {
      lastBatch.row(i, out);
      lastRead.plan.copyFrom(lastBatch.plan(i));
      lastRead.set(table, rowKey, lastBatch.cvt(i), transaction.generation());
      return Outcome.OK;
    }
    int status = transaction.findLocked(table, rowKey, out, lastRead.plan);
    if (status == Outcome.OK) {
      lastRead.set(table, rowKey, finder.cvt(), transaction.generation());
    }
    return status;
  }

  private int addWrite(TableStore table, KeyBuffer rowKey) {
    int write = writes.add(table, rowKey, lastCvt, true, false);
    writes.plan(write).copyFrom(plan);
    return write;
  }

  /**
   * Takes out the CVTs this transaction made for rows that it does not leave behind (all of them if
   * it aborts).
   */
  void removeFreshRows(boolean all) {
    freshRows.begin();
    for (int write = 0; write < writes.size(); write++) {
      if (writes.isFresh(write) && (all || !writes.isPresent(write))) {
        freshKey.clear();
        freshKey.append(writes.images(), writes.imageOffset(write), writes.keyLength(write));
        TableStore table = writes.table(write);
        freshRows.add(
            table,
            freshKey.bytes,
            freshKey.length,
            writes.lotusKey(write),
            writes.cvt(write),
            writes.plan(write).blockClass());
      }
    }
    freshRows.run();
  }
}
