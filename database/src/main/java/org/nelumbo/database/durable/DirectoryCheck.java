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
 * Looks at all bytes of a directory that a database or backups are in, whether they are as they
 * were written, and at what the catalogue says. Nothing is changed, and a database may be open.
 */
public final class DirectoryCheck {
  private final List<String> lines = new ArrayList<>();
  private final List<String> damage = new ArrayList<>();

  private DirectoryCheck() {}

  /**
   * Checks a directory.
   *
   * @throws org.nelumbo.dm.pool.PoolOpenException if it has neither a database nor backups, or they
   *     are of another version
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

  /** What there is, for people. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** What is damaged, and where; empty if nothing is. */
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
