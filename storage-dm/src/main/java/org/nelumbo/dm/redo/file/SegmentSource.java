package org.nelumbo.dm.redo.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.FileHeader;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoSegments;

/**
 * Frames of the log's files, one after the other. To be closed. One thread at a time.
 *
 * <p>Files may be copied from one disk to another, and then removed from the first, while they are
 * read.
 */
public final class SegmentSource implements FrameSource, AutoCloseable {
  private final List<Disk> disks;
  private final int segmentBytes;
  private final int capacity;
  private final TreeSet<Long> numbers = new TreeSet<>();

  /** Told of damaged segments, which are taken all the same; null if they are refused. */
  private final Consumer<String> damage;

  /** The segment that was read last; null if none was. */
  private DiskFile file;

  private long fileNumber;

  /** Takes the segments of a database that a disk has. */
  public SegmentSource(Disk disk, FileHeader database) throws IOException {
    this(List.of(disk), database.database(), (int) database.first());
  }

  /** Takes those likewise that have something before a position: others may be in the making. */
  public SegmentSource(Disk disk, FileHeader database, long end) throws IOException {
    this(List.of(disk), database.database(), (int) database.first(), end, null);
  }

  /**
   * Takes all segments of a disk, also those that have lost their header or their end.
   *
   * @param database id of the database; 0 if it is not known
   * @param damage told of each that is damaged, or another database's
   */
  public SegmentSource(Disk disk, long database, int segmentBytes, Consumer<String> damage)
      throws IOException {
    this(List.of(disk), database, segmentBytes, Long.MAX_VALUE, damage);
  }

  /** Takes all segments that disks have; see below. */
  public SegmentSource(List<Disk> disks, long database, int segmentBytes) throws IOException {
    this(disks, database, segmentBytes, Long.MAX_VALUE, null);
  }

  /**
   * Takes segments that disks have; those that are not whole were never used.
   *
   * @param disks in the order in which files go from one to the next
   * @param database id of the database
   * @param end those count that have something before that
   * @param damage told of those that are damaged; null if they are refused
   * @throws DamagedFilesException if one was used all the same, or is another database's
   */
  private SegmentSource(
      List<Disk> disks, long database, int segmentBytes, long end, Consumer<String> damage)
      throws IOException {
    this.disks = disks;
    this.damage = damage;
    this.segmentBytes = segmentBytes;
    this.capacity = segmentBytes - RedoLayout.BLOCK;
    for (Disk disk : disks) {
      for (String name : RedoSegments.names(disk)) {
        long number = RedoSegments.number(name);
        boolean isWanted = number * capacity < end && !numbers.contains(number);
        if (isWanted && isWhole(disk, name, database)) {
          numbers.add(number);
        }
      }
    }
  }

  private boolean isWhole(Disk disk, String name, long database) throws IOException {
    long number = RedoSegments.number(name);
    DiskFile found = openIfThere(disk, name);
    if (found == null) {
      return false; // copied meanwhile
    }
    try (found) {
      FileHeader header = FileHeader.read(found, name, FileHeader.SEGMENT);
      boolean isOwn =
          header != null
              && (database == 0 || header.database() == database)
              && header.first() == number
              && header.second() == segmentBytes;
      if (header == null || found.size() < segmentBytes) {
        // the end of a frame may be there that begins in the file before
        return isUsed(found, name, number) || isOwn && damage != null;
      }
      if (!isOwn) {
        refuse(
            "the file "
                + name
                + " in "
                + disk.place()
                + " is of another database, or has been renamed: keep a copy of all files; file="
                + name
                + " offset=0");
        return false;
      }
      return true;
    }
  }

  private void refuse(String why) {
    if (damage == null) {
      throw new DamagedFilesException(why);
    }
    damage.accept(why);
  }

  /** Null if there is no such file any more. */
  public static DiskFile openIfThere(Disk disk, String name) throws IOException {
    try {
      return disk.open(name);
    } catch (NoSuchFileException | FileNotFoundException e) {
      return null;
    }
  }

  /** Whether the first segment of a database, in a file of that name, has been used. */
  static boolean hasFrame(Disk disk, String name) throws IOException {
    try (DiskFile file = disk.open(name)) {
      return new FrameReader(new FileSource(file, name, 0), 0).hasFrame(0);
    }
  }

  /** A file has its header and its size before anything else: nothing else would show a loss. */
  private boolean isUsed(DiskFile file, String name, long number) throws IOException {
    long start = number * capacity;
    FrameReader reader = new FrameReader(new FileSource(file, name, start), start);
    boolean isUsed = reader.hasFrame(start);
    if (isUsed) {
      refuse(
          "the file "
              + name
              + " has lost its header or its end, and holds commits: keep a copy of all files;"
              + " file="
              + name
              + " offset=0");
    }
    return isUsed;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    int total = 0;
    for (long at = position; target.hasRemaining(); at = position + total) {
      DiskFile segment = file(at / capacity);
      int offset = (int) (at % capacity);
      int limit = target.limit();
      target.limit((int) Math.min(limit, target.position() + (long) capacity - offset));
      int wanted = target.remaining();
      int count = segment == null ? 0 : segment.read(target, RedoLayout.BLOCK + offset);
      target.limit(limit);
      total += count;
      if (count < wanted) {
        break;
      }
    }
    return total;
  }

  /** Null if there is no such segment. */
  private DiskFile file(long number) throws IOException {
    if (file != null && fileNumber == number) {
      return file;
    }
    if (!numbers.contains(number)) {
      return null;
    }
    close();
    String name = RedoSegments.name(number);
    for (Disk disk : disks) {
      file = openIfThere(disk, name);
      if (file != null && (damage != null || file.size() >= segmentBytes)) {
        fileNumber = number;
        return file;
      }
      close();
    }
    throw new NoSuchFileException(name + " is not there any more");
  }

  /** Whether there is a segment that has a position. */
  public boolean has(long position) {
    return numbers.contains(position / capacity);
  }

  /** The first position of the first segment; less than 0 if there is none. */
  public long first() {
    return numbers.isEmpty() ? -1 : numbers.first() * capacity;
  }

  /** Whether a segment begins at a position, which need not have been made yet. */
  public boolean isBoundary(long position) {
    return position % capacity == 0;
  }

  /** The first position of the next segment behind a position that there is; less than 0: none. */
  @Override
  public long nextFile(long position) {
    Long number = numbers.higher(position / capacity);
    return number == null ? -1 : number * capacity;
  }

  /** Where a segment is missing from a position on that is not the last; less than 0: nowhere. */
  public long firstMissing(long position) {
    for (long number = position / capacity; numbers.higher(number) != null; number++) {
      if (!numbers.contains(number)) {
        return number * capacity;
      }
    }
    return -1;
  }

  @Override
  public String place(long position) {
    return RedoSegments.place(position, capacity);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      DiskFile open = file;
      file = null;
      open.close();
    }
  }
}
