package org.nelumbo.dm.redo;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Full segments of a database's log, copied to another disk: what a restore to a moment needs
 * beside a backup. A segment is there wholly, or not under its name. One thread copies; any may
 * ask.
 */
final class LogArchive implements AutoCloseable {
  private static final String UNFINISHED = ".new";
  private static final int CHUNK_BYTES = 1 << 18;

  private final Disk disk;

  /** Number of the newest segment; less than 0 if there is none. */
  private volatile long newest = -1;

  /**
   * Opens an archive; closing it closes the disk.
   *
   * @throws PoolOpenException if it is another database's
   */
  LogArchive(Disk disk, FileHeader database) throws IOException {
    this.disk = disk;
    for (String name : disk.list()) {
      long number = RedoSegments.number(name);
      if (number >= 0) {
        check(name, database);
        newest = Math.max(newest, number);
      }
    }
    disk.forceNames(); // who was killed may have copied one, and no more
  }

  private void check(String name, FileHeader database) throws IOException {
    try (DiskFile file = disk.open(name)) {
      FileHeader header = FileHeader.read(file, name, FileHeader.SEGMENT);
      if (header == null || header.database() != database.database()) {
        throw new PoolOpenException(
            "the archive has the log of another database: name another directory archive="
                + disk.place()
                + " file="
                + name);
      }
    }
  }

  /** Whether a segment need not be copied any more. */
  boolean has(long number) {
    return number <= newest;
  }

  /** Copies a segment that nobody writes to any more; it is there when this returns. */
  void add(Disk source, long number) throws IOException {
    String name = RedoSegments.name(number);
    try (DiskFile from = source.open(name);
        DiskFile to = disk.create(name + UNFINISHED)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(CHUNK_BYTES);
      for (long at = 0; from.read(bytes.clear(), at) > 0; ) {
        int count = bytes.flip().remaining();
        to.write(bytes, at);
        at += count;
      }
      to.force();
    }
    disk.rename(name + UNFINISHED, name);
    disk.forceNames();
    newest = number;
  }

  /** What people know the place by. */
  String place() {
    return disk.place();
  }

  @Override
  public void close() {
    disk.close();
  }
}
