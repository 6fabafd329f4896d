package org.nelumbo.database.durable;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.nelumbo.database.check.Findings;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.backup.Backup;
import org.nelumbo.dm.redo.backup.BackupFiles;
import org.nelumbo.dm.redo.backup.BackupRows;
import org.nelumbo.dm.redo.backup.LoggedRows;
import org.nelumbo.dm.redo.backup.SoundRows;
import org.nelumbo.dm.redo.file.RowSource;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.timestamp.Timestamps;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.TableDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores the tables of a backup in an empty database: first their stores with all rows, which are
 * not published; then, in one transaction, the catalog. Hence a restore is atomic, whenever it
 * stops.
 */
public final class Restore {
  private static final Logger LOG = LoggerFactory.getLogger(Restore.class);
  private static final int THREADS = 4;

  private final Engine engine;
  private final Catalog catalog;
  private final CancellationToken stop;

  /**
   * Creates a restore within a schema change.
   *
   * @param catalog the catalog; the caller holds its change lock
   * @param stop set to stop the restore
   */
  public Restore(Engine engine, Catalog catalog, CancellationToken stop) {
    this.engine = engine;
    this.catalog = catalog;
    this.stop = stop;
  }

  /**
   * Restores a backup from a directory, and later commits from a log. Throws 42S01 if the database
   * is not empty, 22023 if there is no backup, or no log that matches it, XX001 if something is
   * damaged, 58030 if a file cannot be read, 53200 if the pool is full.
   *
   * @param opener opens the directory
   * @param log open directories with the log of the source database; empty to restore only the
   *     backup
   * @param untilMicros time of the last commit to restore, in microseconds since the epoch
   */
  public void run(Supplier<Disk> opener, List<Disk> log, long untilMicros) {
    checkEmpty(catalog.state());
    long until = Timestamps.ofEpochMicros(untilMicros + 1) - 1;
    try (Disk disk = opener.get()) {
      BackupFiles files = BackupFiles.open(disk, RowLayout.FORMAT);
      Backup backup = files.newestUpTo(until);
      if (backup == null) {
        throw new PoolOpenException(
            "there is no backup"
                + (files.newest() == null ? "" : " of that moment or an earlier one")
                + " in "
                + disk.location());
      }
      BackupRows rows = files.rows(backup);
      if (log.isEmpty()) {
        run(rows);
      } else {
        LoggedRows replayed = LoggedRows.open(rows, backup, log, until);
        run(replayed);
        LOG.info(
            "restored backup={} of={} log={} last_commit={} log_ends={}",
            backup.name(),
            time(backup.timestamp()),
            replayed.location(),
            time(replayed.lastShown()),
            time(replayed.lastTimestamp()));
      }
    } catch (IOException e) {
      throw BackupFailures.of("the backup cannot be read: ", e);
    } catch (PoolOpenException e) {
      throw BackupFailures.of(e);
    } catch (DamagedFilesException e) {
      throw BackupFailures.of(e);
    }
  }

  /**
   * Restores the intact parts of the files of a database, or of the newest backup. Throws 42S01 if
   * this database is not empty, 22023 if there are no such files, 58030 if they cannot be read,
   * 53200 if the pool is full.
   *
   * @param opener opens the directory
   * @param findings receives reports of damaged and omitted parts
   */
  public void salvage(Supplier<Disk> opener, Findings findings) {
    checkEmpty(catalog.state());
    try (Disk disk = opener.get()) {
      new Salvage(engine, catalog, stop, SoundRows.open(disk, RowLayout.FORMAT), findings).run();
    } catch (IOException e) {
      throw BackupFailures.of("the files cannot be read: ", e);
    } catch (PoolOpenException e) {
      throw BackupFailures.of(e);
    } catch (DamagedFilesException e) {
      throw BackupFailures.of(e);
    }
  }

  private static Instant time(long timestamp) {
    return Instant.EPOCH.plus(Timestamps.toEpochMicros(timestamp), ChronoUnit.MICROS);
  }

  private void run(RowSource rows) throws IOException {
    CatalogImage image = CatalogImage.of(rows);
    catalog.skipIds(image.nextId());
    Map<Integer, TableDefinition> tables = new LinkedHashMap<>();
    for (TableDefinition table : image.tables()) {
      tables.put(table.storeId(), table.withStoreId(catalog.newId()));
    }
    StoreLoader loader = new StoreLoader(engine, rows, THREADS, stop);
    boolean isLoaded = false;
    try {
      Map<Integer, TableDefinition> placed = loader.load(tables);
      isLoaded = true;
      catalog.restore(image, placed);
    } finally {
      if (!isLoaded) {
        loader.discard();
      }
    }
  }

  private static void checkEmpty(CatalogState state) {
    for (String schema : state.schemaNames()) {
      Collection<Relation> relations = state.relations(schema);
      boolean isOwn = !CatalogState.isSystem(schema);
      if (isOwn && (!schema.equals(CatalogState.PUBLIC) || !relations.isEmpty())) {
        throw new NelumboException(
            ErrorCode.OBJECT_EXISTS,
            "the database is not empty, it has "
                + (relations.isEmpty()
                    ? "schema " + schema
                    : schema + "." + relations.iterator().next().name())
                + ": restore into an empty one");
      }
    }
  }
}
