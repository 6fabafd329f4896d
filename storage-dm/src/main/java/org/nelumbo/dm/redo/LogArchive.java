package org.nelumbo.dm.redo;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Full segments of a database's log, copied to another disk. A point-in-time restore needs them in
 * addition to a backup. A segment has its name only when it is complete. One thread copies; any
 * thread may query.
 */
public final class LogArchive implements AutoCloseable {
  private static final String UNFINISHED = ".new";
  private static final int CHUNK_BYTES = 1 << 18;

  private final Disk disk;
  private final FileHeader database;

  /** Id of the memory node of the log; 0 for the log of a database in files. */
  private final long node;

  private volatile long newest = -1;

  /**
   * Opens an archive; closing it closes the disk.
   *
   * @param node id of the memory node of the log; 0 for the log of a database in files
   * @throws PoolOpenException if it belongs to another database or node
   */
  public LogArchive(Disk disk, FileHeader database, long node) throws IOException {
    this.disk = disk;
    this.database = database;
    this.node = node;
    for (String name : RedoSegments.names(disk)) {
      check(disk, name, database.database(), node);
      newest = Math.max(newest, RedoSegments.number(name));
    }
    disk.forceNames(); // a killed process may have renamed a segment without forcing the name
  }

  /** Checks that a segment belongs to a log. */
  public static void check(Disk disk, String name, long database, long node) throws IOException {
    try (DiskFile file = disk.open(name)) {
      FileHeader header = FileHeader.read(file, name, FileHeader.SEGMENT);
      if (header == null || header.database() != database || header.third() != node) {
        throw new PoolOpenException(
            "the archive has the log of another database"
                + (node == 0 ? "" : ", or of another memory node")
                + ": name another directory archive="
                + disk.location()
                + " file="
                + name);
      }
    }
  }

  /** Returns true if a segment is already copied. */
  boolean has(long number) {
    return number <= newest;
  }

  /**
   * Copies a segment that is no longer written; the copy is durable when this returns.
   *
   * @param timestamp timestamp that is not below that of any commit in the earlier segments
   */
  void add(Disk source, long number, long timestamp) throws IOException {
    String name = RedoSegments.name(number);
    try (DiskFile from = source.open(name);
        DiskFile to = disk.create(name + UNFINISHED)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(CHUNK_BYTES);
      for (long at = 0; from.read(bytes.clear(), at) > 0; ) {
        int count = bytes.flip().remaining();
        to.write(bytes, at);
        at += count;
      }
      if (node != 0) {
        new FileHeader(
                FileHeader.SEGMENT,
                database.rowFormat(),
                database.database(),
                number,
                database.first(),
                node,
                timestamp)
            .write(to);
      }
      to.force();
    }
    disk.rename(name + UNFINISHED, name);
    disk.forceNames();
    newest = number;
  }

  /** Returns the location for messages. */
  String location() {
    return disk.location();
  }

  @Override
  public void close() {
    disk.close();
  }
}
