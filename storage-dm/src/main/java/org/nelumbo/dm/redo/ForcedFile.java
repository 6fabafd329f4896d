package org.nelumbo.dm.redo;

import java.io.IOException;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the position up to which the log was on the disk when it was last closed cleanly;
 * initially 0. It reveals the loss of the end of the log, even of whole files. The file stays when
 * the log continues, because the statement remains true. It exists from the creation of the
 * database, and each update replaces it atomically; so if there is no valid one, it has been
 * damaged.
 */
public final class ForcedFile {
  public static final String NAME = "FORCED";
  private static final Logger LOG = LoggerFactory.getLogger(ForcedFile.class);
  private static final String UNFINISHED = NAME + ".new";

  private final Disk disk;
  private final long database;

  /**
   * Creates an accessor for the file of a database.
   *
   * @param database id of the database
   */
  public ForcedFile(Disk disk, long database) {
    this.disk = disk;
    this.database = database;
  }

  /**
   * Reads the position; negative if the file is missing, damaged, or belongs to another database.
   */
  public long read() throws IOException {
    if (!disk.list().contains(NAME)) {
      return -1;
    }
    FileHeader header = header(disk);
    return header == null || header.database() != database ? -1 : header.first();
  }

  private static FileHeader header(Disk disk) throws IOException {
    try (DiskFile file = disk.open(NAME)) {
      return FileHeader.read(file, NAME, FileHeader.FORCED);
    }
  }

  /** Returns true if a file can belong to a database that has never been closed cleanly. */
  public static boolean isFirst(Disk disk, String name) throws IOException {
    if (!name.equals(NAME)) {
      return name.equals(UNFINISHED);
    }
    FileHeader header = header(disk);
    return header != null && header.first() == 0;
  }

  /** Creates the file of a new database. */
  public void make() throws IOException {
    put(0);
  }

  /**
   * Writes the position. An error is only logged: without the file some damage may stay undetected,
   * but no data is lost.
   */
  public void write(long position) {
    try {
      put(position);
    } catch (IOException e) {
      LOG.warn("the file {} in {} cannot be written: {}", NAME, disk.location(), e.toString());
    }
  }

  private void put(long position) throws IOException {
    try (DiskFile file = disk.create(UNFINISHED)) {
      new FileHeader(FileHeader.FORCED, 0, database, position, 0, 0, 0).write(file);
      file.force();
    }
    disk.rename(UNFINISHED, NAME);
    disk.forceNames();
  }
}
