package org.nelumbo.dm.redo;

import java.io.IOException;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that says up to where the log was on the disk when it was closed in order; at first, 0.
 * So if its end has been lost since, whole files of it even, that shows. It stays when the log goes
 * on, as what it says remains true. It is there from the beginning, and each that follows takes its
 * place at once: if there is none that is whole, something has damaged it.
 */
public final class ForcedFile {
  public static final String NAME = "FORCED";
  private static final Logger LOG = LoggerFactory.getLogger(ForcedFile.class);
  private static final String UNFINISHED = NAME + ".new";

  private final Disk disk;
  private final long database;

  /** The file of a database that has this id. */
  public ForcedFile(Disk disk, long database) {
    this.disk = disk;
    this.database = database;
  }

  /** What it says; less than 0 if it is missing, damaged, or another database's. */
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

  /** Whether a file is one that a database has which has not been closed in order yet. */
  public static boolean isFirst(Disk disk, String name) throws IOException {
    if (!name.equals(NAME)) {
      return name.equals(UNFINISHED);
    }
    FileHeader header = header(disk);
    return header != null && header.first() == 0;
  }

  /** Makes that of a new database. */
  public void make() throws IOException {
    put(0);
  }

  /** Writes it; without it no more is lost than that some damage may not be noticed. */
  public void write(long position) {
    try {
      put(position);
    } catch (IOException e) {
      LOG.warn("the file {} in {} cannot be written: {}", NAME, disk.place(), e.toString());
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
