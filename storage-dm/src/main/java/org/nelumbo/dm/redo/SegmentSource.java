package org.nelumbo.dm.redo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.TreeMap;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;

/** Frames of the log's files, one after the other. To be closed. */
final class SegmentSource implements FrameSource, AutoCloseable {
  private final int capacity;
  private final TreeMap<Long, DiskFile> files = new TreeMap<>();

  /**
   * Opens all segments that a disk has; those that are not whole were never used.
   *
   * @throws DamagedFilesException if one was used all the same, or is another database's
   */
  SegmentSource(Disk disk, FileHeader database) throws IOException {
    int segmentBytes = (int) database.first();
    this.capacity = segmentBytes - RedoLayout.BLOCK;
    try {
      for (String name : disk.list()) {
        long number = RedoSegments.number(name);
        if (number >= 0) {
          DiskFile file = disk.open(name);
          files.put(number, file);
          FileHeader header = FileHeader.read(file, name, FileHeader.SEGMENT);
          if (header == null || file.size() < segmentBytes) {
            checkUnused(file, name, number);
            files.remove(number);
            file.close();
          } else if (header.database() != database.database()
              || header.first() != number
              || header.second() != segmentBytes) {
            throw new DamagedFilesException(
                "the file "
                    + name
                    + " in "
                    + disk.place()
                    + " is of another database, or has been renamed: keep a copy of all files");
          }
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Whether the first segment of a database, in a file of that name, has been used. */
  static boolean hasFrame(Disk disk, String name) throws IOException {
    try (DiskFile file = disk.open(name)) {
      return new FrameReader(new FileSource(file, name, 0), 0).hasFrame(0);
    }
  }

  /** A file has its header and its size before anything else: nothing else would show a loss. */
  private void checkUnused(DiskFile file, String name, long number) throws IOException {
    long start = number * capacity;
    FrameReader reader = new FrameReader(new FileSource(file, name, start), start);
    if (reader.hasFrame(start)) {
      throw new DamagedFilesException(
          "the file "
              + name
              + " has lost its header or its end, and holds commits: keep a copy of all files; file="
              + name
              + " offset=0");
    }
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    int total = 0;
    for (long at = position; target.hasRemaining(); at = position + total) {
      DiskFile file = files.get(at / capacity);
      int offset = (int) (at % capacity);
      int limit = target.limit();
      target.limit((int) Math.min(limit, target.position() + (long) capacity - offset));
      int wanted = target.remaining();
      int count = file == null ? 0 : file.read(target, RedoLayout.BLOCK + offset);
      target.limit(limit);
      total += count;
      if (count < wanted) {
        break;
      }
    }
    return total;
  }

  /** Whether there is a segment that has a position. */
  boolean has(long position) {
    return files.containsKey(position / capacity);
  }

  /** Whether a segment begins at a position, which need not have been made yet. */
  boolean isBoundary(long position) {
    return position % capacity == 0;
  }

  /** The first position of the next segment behind a position that there is; less than 0: none. */
  long nextSegment(long position) {
    Long number = files.higherKey(position / capacity);
    return number == null ? -1 : number * capacity;
  }

  /** Where a segment is missing from a position on that is not the last; less than 0: nowhere. */
  long firstMissing(long position) {
    for (long number = position / capacity; files.higherKey(number) != null; number++) {
      if (!files.containsKey(number)) {
        return number * capacity;
      }
    }
    return -1;
  }

  @Override
  public String place(long position) {
    return "file="
        + RedoSegments.name(position / capacity)
        + " offset="
        + (RedoLayout.BLOCK + position % capacity);
  }

  @Override
  public void close() {
    for (DiskFile file : files.values()) {
      try {
        file.close();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
    files.clear();
  }
}
