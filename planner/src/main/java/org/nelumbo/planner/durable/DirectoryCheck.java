package org.nelumbo.planner.durable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.redo.Backup;
import org.nelumbo.dm.redo.BackupFiles;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.DatabaseFiles;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.TableDefinition;

/**
 * Looks at all bytes of a directory that a database or backups are in, whether they are as they
 * were written, and at what the catalogue says. Nothing is changed but what an unfinished
 * checkpoint has left.
 */
public final class DirectoryCheck {
  private final List<String> lines = new ArrayList<>();
  private final List<String> damage = new ArrayList<>();

  private DirectoryCheck() {}

  /**
   * Checks a directory.
   *
   * @param disk of which nobody else writes files
   * @throws org.nelumbo.dm.pool.PoolOpenException if it has neither a database nor backups, or they
   *     are of another version
   * @throws IOException if it cannot be read
   */
  public static DirectoryCheck of(Environment environment, Disk disk) throws IOException {
    DirectoryCheck check = new DirectoryCheck();
    try {
      if (disk.list().stream().anyMatch(name -> name.startsWith("backup-"))) {
        check.backups(BackupFiles.open(disk, RowLayout.FORMAT));
      } else {
        check.database(environment, disk);
      }
    } catch (DamagedFilesException e) {
      check.damage.add(e.getMessage());
    }
    return check;
  }

  /** What there is, for people. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** What is damaged, and where; empty if nothing is. */
  public List<String> damage() {
    return List.copyOf(damage);
  }

  private void backups(BackupFiles files) throws IOException {
    for (Backup backup : files.backups()) {
      try {
        long rows = files.check(backup);
        lines.add(
            backup.name()
                + (backup.isFull() ? " all rows" : " changes since the one before")
                + " rows="
                + rows
                + " bytes="
                + backup.bytes());
      } catch (DamagedFilesException e) {
        damage.add(e.getMessage());
      }
    }
  }

  private void database(Environment environment, Disk disk) throws IOException {
    DatabaseFiles files =
        DatabaseFiles.open(
            environment, disk, RedoOptions.DEFAULT, RowLayout.FORMAT, PoolExpectation.EXISTING);
    lines.add(
        "database "
            + PoolExpectation.text(files.id())
            + " checkpoint bytes="
            + files.checkpointBytes()
            + " log bytes="
            + files.logBytes()
            + (files.wasClosed() ? " closed in order" : " not closed in order"));
    CatalogImage image = new CatalogImage();
    Map<Integer, long[]> rows = new HashMap<>();
    files.forEachRow(
        (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
          rows.computeIfAbsent(store, each -> new long[1])[0]++;
          image.row(store, bytes, offset, keyLength, imageLength, isDeleted);
        });
    try {
      for (TableDefinition table : image.tables()) {
        long[] count = rows.getOrDefault(table.storeId(), new long[1]);
        lines.add("table " + table.schema() + "." + table.name() + " images=" + count[0]);
      }
    } catch (NelumboException e) {
      damage.add(e.getMessage());
    }
  }
}
