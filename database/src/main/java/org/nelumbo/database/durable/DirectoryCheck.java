package org.nelumbo.database.durable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.backup.SoundRows;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.TableDefinition;

/**
 * Verifies that all bytes in the directory of a database or of backups are as they were written,
 * and checks the contents of the catalog. The check changes nothing, and the database may be open.
 */
public final class DirectoryCheck {
  private final List<String> lines = new ArrayList<>();
  private final List<String> damage = new ArrayList<>();

  private DirectoryCheck() {}

  /**
   * Checks a directory.
   *
   * @throws org.nelumbo.dm.pool.PoolOpenException if it contains neither a database nor backups, or
   *     they have another version
   * @throws IOException if it cannot be read
   */
  public static DirectoryCheck of(Disk disk) throws IOException {
    DirectoryCheck check = new DirectoryCheck();
    SoundRows rows = SoundRows.open(disk, RowLayout.FORMAT);
    check.lines.addAll(rows.contents());
    check.damage.addAll(rows.damage());
    try {
      check.catalogue(rows);
    } catch (DamagedFilesException | NelumboException e) {
      check.damage.add(e.getMessage());
    }
    return check;
  }

  /** Returns a description of the contents. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns descriptions of the damage with its locations; empty if there is none. */
  public List<String> damage() {
    return List.copyOf(damage);
  }

  private void catalogue(SoundRows rows) throws IOException {
    CatalogImage image = new CatalogImage();
    Map<Integer, long[]> images = new HashMap<>();
    rows.forEachRow(
        (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
          images.computeIfAbsent(store, each -> new long[1])[0]++;
          image.row(store, bytes, offset, keyLength, imageLength, isDeleted);
        });
    for (TableDefinition table : image.tables()) {
      long[] count = images.getOrDefault(table.storeId(), new long[1]);
      lines.add("table " + table.schema() + "." + table.name() + " images=" + count[0]);
    }
  }
}
