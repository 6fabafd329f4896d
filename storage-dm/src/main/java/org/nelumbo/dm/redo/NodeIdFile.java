package org.nelumbo.dm.redo;

import java.io.IOException;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.env.Environment;

/**
 * The file that distinguishes the log of a memory node from the logs of other nodes of its pool,
 * which have other content at the same positions. It is created when full segments are first
 * archived, and stays when the node receives another log.
 */
public final class NodeIdFile {
  public static final String NAME = "NODE";
  private static final String UNFINISHED = "NODE.new";

  private NodeIdFile() {}

  /**
   * Reads the id; 0 if there is none.
   *
   * @throws DamagedFilesException if the file is damaged, or of another pool
   */
  public static long read(Disk disk, long database) throws IOException {
    if (!disk.list().contains(NAME)) {
      return 0;
    }
    try (DiskFile file = disk.open(NAME)) {
      FileHeader header = FileHeader.read(file, NAME, FileHeader.NODE_ID);
      if (header == null || header.database() != database) {
        throw new DamagedFilesException(
            "the file " + NAME + " in " + disk.location() + " is damaged, or of another pool");
      }
      return header.first();
    }
  }

  public static void write(Disk disk, long database, long id) throws IOException {
    try (DiskFile file = disk.create(UNFINISHED)) {
      new FileHeader(FileHeader.NODE_ID, 0, database, id, 0, 0, 0).write(file);
      file.force();
    }
    disk.rename(UNFINISHED, NAME);
    disk.forceNames();
  }

  /** Returns the id; draws and writes one if there is none. */
  public static long readOrMake(Disk disk, long database, Environment environment)
      throws IOException {
    long found = read(disk, database);
    if (found == 0) {
      found = environment.randomLong() | 1;
      write(disk, database, found);
    }
    return found;
  }
}
