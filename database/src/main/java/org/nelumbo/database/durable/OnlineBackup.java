package org.nelumbo.database.durable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.backup.Backup;
import org.nelumbo.dm.redo.backup.BackupFiles;
import org.nelumbo.dm.redo.backup.BackupWriter;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * Writes a backup of an open database: the rows of the catalog and of all tables in one snapshot.
 * Only table changes wait for it, because it holds the metadata locks of the tables. Old versions
 * of rows stay in the pool until the backup has ended.
 */
public final class OnlineBackup {
  private final Engine engine;
  private final Environment environment;
  private final Catalog catalog;
  private final Transaction transaction;
  private final HeldMetadataLocks metadataLocks;
  private final long lockTimeoutNanos;
  private final RowBuffer row = new RowBuffer();

  /**
   * Creates a backup in a session.
   *
   * @param transaction transaction of the session, which is not active
   * @param metadataLocks metadata locks of the session, which holds none
   * @param lockTimeoutNanos longest wait for schema changes
   */
  public OnlineBackup(
      Engine engine,
      Catalog catalog,
      Transaction transaction,
      HeldMetadataLocks metadataLocks,
      long lockTimeoutNanos) {
    this.engine = engine;
    this.environment = engine.environment();
    this.catalog = catalog;
    this.transaction = transaction;
    this.metadataLocks = metadataLocks;
    this.lockTimeoutNanos = lockTimeoutNanos;
  }

  /**
   * Writes a backup; a failed backup leaves no files. Throws 53100 if the disk is full, 58030 if it
   * cannot be written, 22023 if the directory has another purpose, XX001 if the backup to build
   * upon is damaged.
   *
   * @param opener opens the directory of the backups
   * @param isFull true to write all rows even if there is a backup to build upon
   */
  public Backup run(Supplier<Disk> opener, boolean isFull) {
    try (Disk disk = opener.get()) {
      return run(BackupFiles.open(disk, RowLayout.FORMAT), isFull);
    } catch (IOException e) {
      throw BackupFailures.of("the backup cannot be written: ", e);
    } catch (PoolOpenException e) {
      throw BackupFailures.of(e);
    } catch (DamagedFilesException e) {
      throw BackupFailures.of(e);
    }
  }

  private Backup run(BackupFiles files, boolean isFull) throws IOException {
    List<TableEntry> tables = begin();
    try {
      checkNotDamaged(tables);
      return write(files, tables, isFull);
    } finally {
      transaction.abort();
      metadataLocks.releaseAll();
    }
  }

  /** Locks the tables and takes a snapshot in which exactly these tables exist. */
  private List<TableEntry> begin() {
    long start = environment.nanoTime();
    for (int attempt = 0; ; attempt++) {
      List<TableEntry> tables = tryBegin();
      boolean isBegun = false;
      try {
        isBegun = tables != null && isAsOfSnapshot(tables);
        if (isBegun) {
          return tables;
        }
      } finally {
        if (!isBegun) {
          transaction.abort();
          metadataLocks.releaseAll();
        }
      }
      checkNotCancelled();
      if (environment.nanoTime() - start > lockTimeoutNanos) {
        throw new NelumboException(
            ErrorCode.LOCK_NOT_AVAILABLE,
            "a table is being changed; try again, or set a longer lockTimeout");
      }
      environment.backoff(attempt);
    }
  }

  private void checkNotCancelled() {
    CancellationToken stop = transaction.cancellation();
    if (stop.isSet()) {
      throw stop.failure();
    }
  }

  private List<TableEntry> tryBegin() {
    if (!catalog.changeLock().tryLock()) {
      return null;
    }
    try {
      List<TableEntry> tables = List.copyOf(catalog.state().tables());
      for (TableEntry table : tables) {
        if (!metadataLocks.acquire(table.metadataLock(), 0, false, transaction.cancellation())) {
          return null;
        }
      }
      transaction.beginCut();
      return tables;
    } finally {
      catalog.changeLock().unlock();
    }
  }

  private boolean isAsOfSnapshot(List<TableEntry> tables) {
    CatalogImage image = new CatalogImage();
    try {
      copy(
          catalog.ownTable(),
          (store, bytes, offset, keyLength, imageLength) ->
              image.put(bytes, offset, keyLength, imageLength));
    } catch (IOException e) {
      throw new IllegalStateException("reading the catalog failed", e);
    }
    Map<Integer, Integer> stores = new HashMap<>();
    for (TableDefinition definition : image.tables()) {
      stores.put(definition.id(), definition.storeId());
    }
    for (TableEntry table : tables) {
      Integer store = stores.remove(table.id());
      boolean isSame = store != null && store == table.definition().storeId();
      if (!isSame || table.since() > transaction.snapshot()) {
        return false;
      }
    }
    return stores.isEmpty();
  }

  private static void checkNotDamaged(List<TableEntry> tables) {
    for (TableEntry table : tables) {
      if (table.damage() != null) {
        throw new NelumboException(
            ErrorCode.DATA_CORRUPTED,
            "table "
                + table
                + " is damaged, and cannot be read: drop it before the rest is backed up ("
                + table.damage()
                + ")");
      }
    }
  }

  private Backup write(BackupFiles files, List<TableEntry> tables, boolean isFull)
      throws IOException {
    List<TableStore> ordered = new ArrayList<>();
    List<TableStore> others = new ArrayList<>();
    for (TableEntry table : tables) {
      (table.store().primary() == null ? others : ordered).add(table.store());
    }
    ordered.add(catalog.ownTable());
    ordered.sort(Comparator.comparingInt(TableStore::id));
    Set<Integer> stores = new HashSet<>();
    ordered.forEach(store -> stores.add(store.id()));
    long database = PoolFormat.poolId(engine.fabric());
    try (BackupWriter writer = files.begin(database, transaction.snapshot(), isFull, stores)) {
      for (TableStore store : ordered) {
        copy(store, writer::add);
      }
      for (TableStore store : others) {
        copyUnordered(store, writer);
      }
      check(transaction.commit()); // makes the snapshot's contents durable
      return writer.finish();
    }
  }

  @FunctionalInterface
  private interface Target {
    void add(int store, byte[] bytes, int offset, int keyLength, int imageLength)
        throws IOException;
  }

  private void copy(TableStore store, Target target) throws IOException {
    RangeScan scan = transaction.newRangeScan();
    Outcome status = scan.open(new ScanRange().from(store.primary(), new KeyBuffer()));
    while (status == Outcome.OK) {
      status = scan.next(row);
      if (status == Outcome.OK) {
        add(store, target);
      }
    }
    scan.close();
    check(status == Outcome.NOT_FOUND ? Outcome.OK : status);
  }

  private void copyUnordered(TableStore store, BackupWriter writer) throws IOException {
    TableScan scan = transaction.newTableScan();
    Outcome status = scan.open(store, LockMode.READ);
    while (status == Outcome.OK) {
      status = scan.next(row);
      if (status == Outcome.OK) {
        add(store, writer::addUnordered);
      }
    }
    scan.close();
    check(status == Outcome.NOT_FOUND ? Outcome.OK : status);
  }

  private void add(TableStore store, Target target) throws IOException {
    int keyLength = store.layout().keyLength(row.bytes, row.offset);
    target.add(store.id(), row.bytes, row.offset, keyLength, row.length);
    checkNotCancelled();
  }

  private void check(Outcome status) {
    if (status != Outcome.OK) {
      throw transaction.failure(status);
    }
  }
}
