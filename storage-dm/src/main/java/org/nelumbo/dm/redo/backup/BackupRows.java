package org.nelumbo.dm.redo.backup;

import java.io.IOException;
import java.util.List;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.redo.file.RowSource;
import org.nelumbo.dm.redo.file.RowVisitor;

/**
 * The rows of a backup, each once: first the rows ordered by store and key, then the unordered
 * ones. Several threads may read them.
 */
public final class BackupRows implements RowSource {
  private final Disk disk;
  private final List<String> names;

  BackupRows(Disk disk, List<String> names) {
    this.disk = disk;
    this.names = names;
  }

  @Override
  public void forEachRow(RowVisitor visitor) throws IOException {
    try (MergedRows rows = new MergedRows(disk, names)) {
      while (rows.next()) {
        rows.row().show(visitor);
      }
      rows.showUnordered(visitor);
    }
  }

  /** Passes the rows of one store to the visitor; these must be ordered ones. */
  @Override
  public void forEachRow(int store, RowVisitor visitor) throws IOException {
    try (MergedRows rows = new MergedRows(disk, names)) {
      while (rows.next() && rows.row().store() <= store) {
        if (rows.row().store() == store) {
          rows.row().show(visitor);
        }
      }
    }
  }
}
