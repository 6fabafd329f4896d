package org.nelumbo.dm.redo.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.FileHeader;
import org.nelumbo.dm.redo.NodeIdFile;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoSegments;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.GenerationDisk;
import org.nelumbo.dm.redo.file.PoolNameFile;
import org.nelumbo.dm.redo.file.SegmentSource;

/**
 * The locations of the parts of one log: in the directory of a database or a memory node, and in
 * archives. The logs of different nodes of a pool, and successive logs of one node, are kept apart,
 * because they have different content at the same positions.
 */
public final class LogParts {
  private final List<Disk> disks = new ArrayList<>();

  /** Id of the memory node; 0 if it is unknown, or there is none. */
  private final long node;

  private final int generation;

  /** True if frames are not in the order of timestamps. */
  private final boolean isOfNode;

  private LogParts(long node, int generation, boolean isOfNode) {
    this.node = node;
    this.generation = generation;
    this.isOfNode = isOfNode;
  }

  /**
   * Returns the logs whose parts are in some directories.
   *
   * @param directories directories in the order in which files move
   * @throws PoolOpenException if a log belongs to another database
   * @throws DamagedFilesException if a file is damaged
   */
  public static List<LogParts> in(List<Disk> directories, long database) throws IOException {
    List<LogParts> found = new ArrayList<>();
    for (Disk directory : directories) {
      List<GenerationDisk> all = GenerationDisk.all(directory);
      boolean isArchive = true;
      for (GenerationDisk disk : all) {
        isArchive &= !disk.list().contains(DatabaseFiles.DATABASE);
      }
      for (GenerationDisk disk : isArchive ? all : List.of(GenerationDisk.toRead(directory))) {
        if (!RedoSegments.names(disk).isEmpty()) {
          add(found, disk, isArchive, database);
        }
      }
    }
    return found;
  }

  private static void add(
      List<LogParts> found, GenerationDisk disk, boolean isArchive, long database)
      throws IOException {
    long inHeaders = checkHeaders(disk, database);
    long node = isArchive ? inHeaders : NodeIdFile.read(disk, database);
    boolean isOfNode = node != 0 || disk.number() > 0 || disk.list().contains(PoolNameFile.NAME);
    for (LogParts each : found) {
      boolean isSame = each.node == node && each.generation == disk.number();
      if (isSame && isOfNode == each.isOfNode && (node != 0 || !isOfNode)) {
        each.disks.add(isArchive || !isOfNode ? each.disks.size() : 0, disk);
        return;
      }
    }
    LogParts parts = new LogParts(node, disk.number(), isOfNode);
    parts.disks.add(disk);
    found.add(parts);
  }

  /** Returns the id of the node, or 0 if there is none. */
  private static long checkHeaders(Disk disk, long database) throws IOException {
    long node = 0;
    boolean isKnown = false;
    for (String name : RedoSegments.names(disk)) {
      FileHeader header = header(disk, name);
      if (header != null && header.database() != database) {
        throw new PoolOpenException(
            "the log in "
                + disk.location()
                + " is of another database than the backup: name that of the database which"
                + " was backed up");
      }
      if (header != null && isKnown && header.third() != node) {
        throw new PoolOpenException(
            "the directory has files of several memory nodes: give each its own archive="
                + disk.location()
                + " file="
                + name);
      }
      node = header == null ? node : header.third();
      isKnown |= header != null;
    }
    return node;
  }

  private static FileHeader header(Disk disk, String name) throws IOException {
    try (DiskFile file = SegmentSource.openIfThere(disk, name)) {
      return file == null ? null : FileHeader.read(file, name, FileHeader.SEGMENT);
    }
  }

  /** Returns the directories, in the order in which files move. */
  public List<Disk> disks() {
    return disks;
  }

  /**
   * Returns true for the log of a memory node, which has several senders: frames are not in the
   * order of timestamps.
   */
  public boolean isOfNode() {
    return isOfNode;
  }

  /** Returns the location for messages. */
  public String location() {
    return disks.getFirst().location();
  }

  /** Returns the size of each segment in bytes; 0 if none has a valid header. */
  public int segmentBytes() throws IOException {
    for (Disk disk : disks) {
      for (String name : RedoSegments.names(disk)) {
        FileHeader header = header(disk, name);
        if (header != null) {
          return (int) header.second();
        }
      }
    }
    return 0;
  }

  /**
   * Returns an upper bound of the timestamps of commits with rows before a segment. The bound is in
   * the archive, or in a checkpoint that contains all earlier commits. Without either it is the
   * largest value.
   */
  public long largestBefore(long number) throws IOException {
    long largest = Long.MAX_VALUE;
    for (Disk disk : disks) {
      FileHeader header = header(disk, RedoSegments.name(number));
      if (header != null && header.third() != 0) {
        largest = Math.min(largest, header.timestamp());
      } else if (header != null) {
        largest = Math.min(largest, checkpointTimestamp(disk, number, header.second()));
      }
    }
    return largest;
  }

  private static long checkpointTimestamp(Disk disk, long number, long segmentBytes)
      throws IOException {
    long largest = Long.MAX_VALUE;
    for (String name : disk.list()) {
      if (DatabaseFiles.checkpointNumber(name) >= 0) {
        try (DiskFile file = SegmentSource.openIfThere(disk, name)) {
          FileHeader header =
              file == null ? null : FileHeader.read(file, name, FileHeader.CHECKPOINT);
          if (header != null && header.first() >= number * (segmentBytes - RedoLayout.BLOCK)) {
            largest = Math.min(largest, header.timestamp());
          }
        }
      }
    }
    return largest;
  }
}
