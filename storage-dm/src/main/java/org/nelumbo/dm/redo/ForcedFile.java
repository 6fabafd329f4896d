package org.nelumbo.dm.redo;

import java.io.IOException;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that says up to where the log was on the disk when it was closed in order. So if its end
 * has been lost since, whole files of it even, that shows. It stays when the log goes on, as what
 * it says remains true.
 */
final class ForcedFile {
  static final String NAME = "FORCED";
  private static final Logger LOG = LoggerFactory.getLogger(ForcedFile.class);
  private static final String UNFINISHED = NAME + ".new";

  private final Disk disk;
  private final long database;

  /** The file of a database that has this id. */
  ForcedFile(Disk disk, long database) {
    this.disk = disk;
    this.database = database;
  }

  /** What it says; 0 if it is not there, -1 if it is damaged, or another database's. */
  long read() throws IOException {
    if (!disk.list().contains(NAME)) {
      return 0;
    }
    try (DiskFile file = disk.open(NAME)) {
      FileHeader header = FileHeader.read(file, NAME, FileHeader.FORCED);
      return header == null || header.database() != database ? -1 : header.first();
    }
  }

  /** Writes it; without it no more is lost than that some damage may not be noticed. */
  void write(long position) {
    try {
      try (DiskFile file = disk.create(UNFINISHED)) {
        new FileHeader(FileHeader.FORCED, 0, database, position, 0, 0, 0).write(file);
        file.force();
      }
      disk.rename(UNFINISHED, NAME);
      disk.forceNames();
    } catch (IOException e) {
      LOG.warn("the file {} in {} cannot be written: {}", NAME, disk.place(), e.toString());
    }
  }
}
