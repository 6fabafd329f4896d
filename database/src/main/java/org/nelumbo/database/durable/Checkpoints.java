package org.nelumbo.database.durable;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.RowFileWriter;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.session.Isolation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes checkpoints of an open database, whenever its log has grown by the size of the last
 * checkpoint. The rows are copied in batches, each in its own snapshot; between two batches no lock
 * is held for which others might wait.
 *
 * <p>Replay starts at a log position that is taken before the first row is copied. All commits
 * before that position are on the disk, and the copy sees them; later commits are replayed. All
 * rows of a table that is created later are in the log.
 */
public final class Checkpoints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  /** Minimum growth of the log: a shorter log is replayed faster than a checkpoint is written. */
  private static final long LEAST_BYTES = 64L << 20;

  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final long RETRY_NANOS = 60_000_000_000L;
  private static final long LOCK_NANOS = 100_000_000L;
  private static final int ROWS = 512;

  private final Engine engine;
  private final Environment environment;
  private final Catalog catalog;
  private final DatabaseFiles files;
  private final BackgroundThread thread;
  private final HeldMetadataLocks metadataLocks = new HeldMetadataLocks();
  private final CancellationToken stop;

  private final AtomicBoolean isWriting = new AtomicBoolean();

  /** Used by the thread that writes a checkpoint, like the next field. */
  private final RowBuffer row = new RowBuffer();

  private final KeyBuffer least = new KeyBuffer();

  /** Creates the checkpoints of an open database. */
  public Checkpoints(Engine engine, Catalog catalog, DatabaseFiles files) {
    this.engine = engine;
    this.environment = engine.environment();
    this.catalog = catalog;
    this.files = files;
    this.stop = new CancellationToken(environment);
    this.thread = new BackgroundThread(environment, "nelumbo-checkpoint", this::run);
  }

  public void start() {
    thread.start();
  }

  /** Returns the metadata locks, which schema changes read. */
  public HeldMetadataLocks metadataLocks() {
    return metadataLocks;
  }

  private void run() {
    while (!thread.isStopped()) {
      long pause = PERIOD_NANOS;
      if (files.bytesSinceCheckpoint() > Math.max(LEAST_BYTES, files.checkpointBytes())) {
        pause = write() ? PERIOD_NANOS : RETRY_NANOS;
      }
      environment.parkNanos(pause);
    }
  }

  /**
   * Writes a checkpoint, unless one is being written. The log is unchanged after a failure.
   *
   * @return true if the checkpoint was completed
   */
  public boolean write() {
    if (!isWriting.compareAndSet(false, true)) {
      return false;
    }
    try (Coordinator coordinator = engine.openCoordinator()) {
      return write(coordinator);
    } catch (IOException | NelumboException | RedoFailedException e) {
      if (!thread.isStopped() && !engine.isStopped()) {
        LOG.warn("no checkpoint was written, the log keeps growing: {}", e.toString());
      }
      return false;
    } finally {
      metadataLocks.releaseAll();
      files.discardCheckpoint();
      isWriting.set(false);
    }
  }

  private boolean write(Coordinator coordinator) throws IOException {
    for (int attempt = 0; !catalog.changeLock().tryLock(); attempt++) {
      if (thread.isStopped()) {
        return false;
      }
      environment.backoff(attempt);
    }
    long position;
    List<TableEntry> tables;
    try {
      position = files.log().checkpointPosition();
      tables = List.copyOf(catalog.state().tables());
    } finally {
      catalog.changeLock().unlock();
    }
    files.log().awaitForced(position); // read-only transactions then see everything before it
    try (RowFileWriter writer = files.newCheckpoint(position, engine.clock().now())) {
      for (TableEntry table : tables) {
        copy(coordinator, table, writer);
      }
      copy(coordinator, catalog.ownTable(), writer, null);
      if (thread.isStopped()) {
        return false;
      }
      files.finish(writer);
      LOG.debug("checkpoint of {} rows, {} bytes", writer.rows(), writer.bytes());
      return true;
    }
  }

  private void copy(Coordinator coordinator, TableEntry table, RowFileWriter writer)
      throws IOException {
    if (isThere(table)) {
      copy(coordinator, table.store(), writer, table);
    }
    metadataLocks.releaseAll();
  }

  /** The store stays until the metadata lock is released. */
  private boolean isThere(TableEntry table) {
    metadataLocks.releaseAll();
    while (!thread.isStopped()) {
      if (metadataLocks.acquire(table.metadataLock(), LOCK_NANOS, false, stop)) {
        TableEntry present = catalog.state().table(table.id());
        return present != null && present.store() == table.store();
      }
    }
    return false;
  }

  /**
   * Copies the rows of a store.
   *
   * @param tableOrNull table of the store, which may be dropped between two batches
   */
  private void copy(
      Coordinator coordinator, TableStore store, RowFileWriter writer, TableEntry tableOrNull)
      throws IOException {
    if (store.primary() == null) {
      copyAtOnce(coordinator.transaction(), store, writer);
      return;
    }
    least.clear();
    boolean more = true;
    while (more && !thread.isStopped()) {
      more = copyLot(coordinator.transaction(), store, writer);
      more = more && (tableOrNull == null || isThere(tableOrNull));
    }
  }

  /** Stores the key after the last row; returns true if rows remain. */
  private boolean copyLot(Transaction transaction, TableStore store, RowFileWriter writer)
      throws IOException {
    transaction.begin(Isolation.SNAPSHOT, true);
    try {
      RangeScan scan = transaction.newRangeScan();
      ScanRange range = new ScanRange().from(store.primary(), least).rowsHint(ROWS);
      Outcome status = scan.open(range);
      for (int i = 0; i < ROWS && status == Outcome.OK; i++) {
        status = scan.next(row);
        if (status == Outcome.OK) {
          add(store, writer);
        }
      }
      scan.close();
      checkRead(transaction, status);
      return status == Outcome.OK;
    } finally {
      transaction.abort();
    }
  }

  private void add(TableStore store, RowFileWriter writer) throws IOException {
    int keyLength = store.layout().keyLength(row.bytes, row.offset);
    writer.add(store.id(), row.bytes, row.offset, keyLength, row.length);
    least.clear();
    least.append(row.bytes, row.offset, keyLength);
    least.ensure(1);
    least.bytes[least.length++] = 0;
  }

  private static void checkRead(Transaction transaction, Outcome status) {
    if (status != Outcome.OK && status != Outcome.NOT_FOUND) {
      throw transaction.failure(status);
    }
  }

  /** A store without order has no key to continue from. */
  private void copyAtOnce(Transaction transaction, TableStore store, RowFileWriter writer)
      throws IOException {
    transaction.begin(Isolation.SNAPSHOT, true);
    try {
      TableScan scan = transaction.newTableScan();
      Outcome status = scan.open(store, LockMode.READ);
      while (status == Outcome.OK && !thread.isStopped()) {
        status = scan.next(row);
        if (status == Outcome.OK) {
          add(store, writer);
        }
      }
      scan.close();
      checkRead(transaction, status);
    } finally {
      transaction.abort();
    }
  }

  @Override
  public void close() {
    thread.stop();
    thread.join();
  }
}
