package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.FileHeader;

/** The file with the name of the pool whose log a memory node keeps: a file of one row. */
public final class PoolNameFile {
  public static final String NAME = "NAME";
  private static final String UNFINISHED = "NAME.new";

  private final Disk disk;
  private final long database;

  public PoolNameFile(Disk disk, long database) {
    this.disk = disk;
    this.database = database;
  }

  /**
   * Reads the name; empty if there is none.
   *
   * @throws DamagedFilesException if the file is damaged, or of another pool
   */
  public String read() throws IOException {
    if (!disk.list().contains(NAME)) {
      return "";
    }
    try (DiskFile file = disk.open(NAME)) {
      FileHeader header = FileHeader.read(file, NAME, FileHeader.POOL_NAME);
      if (header == null || header.database() != database) {
        throw new DamagedFilesException(
            "the file " + NAME + " in " + disk.location() + " is damaged, or of another pool");
      }
    }
    try (RowFileReader reader = new RowFileReader(disk, NAME)) {
      return reader.next()
          ? new String(reader.bytes(), reader.offset(), reader.keyLength(), StandardCharsets.UTF_8)
          : "";
    }
  }

  public void write(String name) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    FileHeader header = new FileHeader(FileHeader.POOL_NAME, 0, database, 0, 0, 0, 0);
    DiskFile file = disk.create(UNFINISHED);
    header.write(file);
    try (RowFileWriter writer = new RowFileWriter(file, header)) {
      writer.add(0, bytes, 0, bytes.length, bytes.length);
      writer.complete();
    }
    disk.rename(UNFINISHED, NAME);
    disk.forceNames();
  }
}
