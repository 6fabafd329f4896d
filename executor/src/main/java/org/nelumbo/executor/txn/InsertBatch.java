package org.nelumbo.executor.txn;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.context.ChangeTracker;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.context.PoolMemory;
import org.nelumbo.executor.index.IndexWriter;
import org.nelumbo.executor.index.UniqueKeyReservations;
import org.nelumbo.executor.insert.BatchInserter;
import org.nelumbo.executor.insert.NewRows;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.ReadView;

/**
 * Inserts many rows, of one table or several, in few round trips. All rows are inserted, or none.
 *
 * <p>On a remote fabric each 64 rows usually take two round trips ({@link BatchInserter}) if they
 * add entries to at most 64 leaves of ordered indexes; each further 64 leaves take two more. On a
 * local fabric each index gets its entries separately, with two round trips for each leaf.
 *
 * <p>Unique secondary indexes cost one more round trip, which finds the rows whose unique values
 * are free ({@link UniqueKeyReservations}). Some rows are inserted one by one after the others:
 * rows whose key or unique value exists, or existed before, and, on a local fabric, rows of tables
 * with unique secondary indexes. Keys and images are copied. Not thread-safe.
 */
public final class InsertBatch {
  private final RowOperations rowOperations;
  private final TransactionLifecycle lifecycle;
  private final ChangeTracker changes;
  private final IndexWriter indexWriter;
  private final ReadView view;
  private final PoolMemory memory;
  private final boolean remote;
  private final Channel channel;
  private final KeyLocks locks;
  private final BatchInserter placement;
  private final CriticalSection critical;
  private final WriteSet writes;
  private final NewRows rows = new NewRows();

  private int failed;

  InsertBatch(
      TransactionContext context, RowOperations rowOperations, TransactionLifecycle lifecycle) {
    this.rowOperations = rowOperations;
    this.lifecycle = lifecycle;
    this.view = context.view;
    this.locks = context.locks;
    this.indexWriter = context.indexWriter;
    this.changes = context.coordinator.changes();
    this.memory = context.coordinator.memory();
    this.critical = context.coordinator.critical();
    this.writes = context.writes;
    this.channel = context.coordinator.channel();
    this.remote = context.cache.isRemote();
    this.placement =
        new BatchInserter(
            context.coordinator,
            locks,
            context.writes,
            indexWriter,
            context.trees,
            context.journal,
            context.insertUndo);
  }

  public void clear() {
    rows.clear();
  }

  public int size() {
    return rows.size();
  }

  /**
   * Adds a row.
   *
   * @param image the whole row, beginning with its normalised primary key, which is {@code key}
   */
  public void add(TableStore table, KeyBuffer key, RowBuffer image) {
    indexWriter.requireKeysFit(table, key, image);
    rows.add(table, key, image);
  }

  /** Points {@code out} at the image of row {@code i}; valid until the batch is changed. */
  public void row(int i, RowBuffer out) {
    out.wrap(rows.image(i));
  }

  /** Returns the index of the row that caused the last DUPLICATE. */
  public int failedRow() {
    return failed;
  }

  /**
   * Inserts the rows. Returns OK or a failure, as {@link Transaction#insert} does; after a failure
   * none of the rows is inserted. The batch itself is not changed.
   */
  public Outcome execute() {
    view.requireWritable();
    changes.begin();
    indexWriter.clearViolated();
    long savepoint = lifecycle.savepoint();
    view.pin();
    Outcome status = lockAll();
    for (int from = 0; from < size() && status == Outcome.OK; from += BatchInserter.ROWS_MAX) {
      status = insertChunk(from, Math.min(size(), from + BatchInserter.ROWS_MAX));
    }
    if (status == Outcome.EXHAUSTED) {
      lifecycle.rollbackTo(savepoint);
      memory.refreshHorizon();
      status = insertOneByOne();
    }
    if (status == Outcome.OK) {
      status = view.checkAge(); // decides whether the absence of rows counts
    }
    if (status != Outcome.OK) {
      lifecycle.rollbackTo(savepoint);
    }
    view.unpin();
    changes.end();
    return status;
  }

  private Outcome lockAll() {
    int first = Math.min(size(), BatchInserter.ROWS_MAX);
    for (int i = 0; i < first; i++) {
      rows.table(i).prefetchForInsert(channel, rows.lotusKey(i));
    }
    for (int i = 0; i < first; i++) {
      locks.prefetch(rows.lotusKey(i));
    }
    Outcome status = locks.isShared() ? lockAhead() : Outcome.OK;
    for (int i = 0; i < size() && status == Outcome.OK; i++) {
      status = locks.acquire(rows.lotusKey(i), LockMode.WRITE);
    }
    if (status == Outcome.OK) {
      status = locks.hold();
    }
    return status;
  }

  private Outcome lockAhead() {
    Outcome status = Outcome.OK;
    for (int i = 0; i < size() && status == Outcome.OK; i++) {
      status = locks.addAhead(rows.lotusKey(i), LockMode.WRITE);
    }
    return status == Outcome.OK ? locks.finishAhead() : status;
  }

  private Outcome insertChunk(int from, int to) {
    Outcome status = claimValues(from, to);
    if (status == Outcome.OK) {
      reserve(from, to);
      status = placement.place(rows, from, to);
    }
    if (status != Outcome.OK) {
      return status;
    }
    notePlaced(from, to);
    for (int i = from; i < to && status == Outcome.OK; i++) {
      if (!rows.isPlaced(i)) {
        status = insert(i);
      }
    }
    return status;
  }

  private void reserve(int from, int to) {
    int bytes = 0;
    for (int i = from; i < to; i++) {
      bytes += rows.key(i).length + rows.image(i).length;
    }
    writes.reserve(to - from, bytes);
  }

  /**
   * A critical section: indexes already lead to these rows, so a row without a write-set entry
   * would stay for ever.
   */
  private void notePlaced(int from, int to) {
    try {
      critical.begin();
      for (int i = from; i < to; i++) {
        if (rows.isPlaced(i)) {
          rowOperations.noteFresh(rows.table(i), rows.key(i), rows.image(i), rows.cvt(i));
        }
      }
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  private Outcome claimValues(int from, int to) {
    boolean any = false;
    for (int i = from; i < to && remote; i++) {
      any |= rows.table(i).hasUniqueIndex();
    }
    return any ? claimValues(indexWriter.reservations(), from, to) : Outcome.OK;
  }

  private Outcome claimValues(UniqueKeyReservations claims, int from, int to) {
    claims.clear();
    for (int i = from; i < to; i++) {
      rows.setFree(i, claims.add(rows.table(i), rows.image(i)));
    }
    Outcome status = claims.reserve();
    for (int i = from; i < to && status == Outcome.OK; i++) {
      rows.setFree(i, rows.isFree(i) && claims.areFree(rows.table(i), rows.image(i)));
    }
    claims.clear();
    return status;
  }

  private Outcome insertOneByOne() {
    Outcome status = Outcome.OK;
    for (int i = 0; i < size() && status == Outcome.OK; i++) {
      status = insert(i);
    }
    return status;
  }

  private Outcome insert(int i) {
    Outcome status = rowOperations.insert(rows.table(i), rows.key(i), rows.image(i));
    if (status != Outcome.OK) {
      failed = i;
    }
    return status;
  }
}
