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
 * Frames in the segments of a log, in order. Must be closed. One thread at a time.
 *
 * <p>Segments may be copied from one disk to another, and then removed from the first, while they
 * are read.
 */
public final class SegmentSource implements FrameSource, AutoCloseable {
  private final List<Disk> disks;
  private final int segmentBytes;
  private final int capacity;
  private final TreeSet<Long> numbers = new TreeSet<>();

  /**
   * Consumer of reports of damaged segments, which are read nevertheless; null if they are refused.
   */
  private final Consumer<String> damage;

  private DiskFile file;

  private long fileNumber;

  /** Opens the segments of a database on a disk. */
  public SegmentSource(Disk disk, FileHeader database) throws IOException {
    this(List.of(disk), database.database(), (int) database.first());
  }

  /**
   * Opens the segments of a database that start before a position, because later ones may still be
   * in creation.
   */
  public SegmentSource(Disk disk, FileHeader database, long end) throws IOException {
    this(List.of(disk), database.database(), (int) database.first(), end, null);
  }

  /**
   * Opens all segments of a disk, including those with a damaged header or a lost end.
   *
   * @param database id of the database; 0 if it is unknown
   * @param damage receives a report of each segment that is damaged, or belongs to another database
   */
  public SegmentSource(Disk disk, long database, int segmentBytes, Consumer<String> damage)
      throws IOException {
    this(List.of(disk), database, segmentBytes, Long.MAX_VALUE, damage);
  }

  /** Opens all segments on several disks; see below. */
  public SegmentSource(List<Disk> disks, long database, int segmentBytes) throws IOException {
    this(disks, database, segmentBytes, Long.MAX_VALUE, null);
  }

  /**
   * Opens the segments on several disks; incomplete ones were never used.
   *
   * @param disks disks in the order in which files move from one to the next
   * @param database id of the database
   * @param end position; segments that start behind it are ignored
   * @param damage receives reports of damaged segments; null if they are refused
   * @throws DamagedFilesException if an incomplete one was used nevertheless, or one belongs to
   *     another database
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
      return false; // moved meanwhile
    }
    try (found) {
      FileHeader header = FileHeader.read(found, name, FileHeader.SEGMENT);
      boolean isOwn =
          header != null
              && (database == 0 || header.database() == database)
              && header.first() == number
              && header.second() == segmentBytes;
      if (header == null || found.size() < segmentBytes) {
        // it may contain the end of a frame that starts in the previous segment
        return isUsed(found, name, number) || isOwn && damage != null;
      }
      if (!isOwn) {
        refuse(
            "the file "
                + name
                + " in "
                + disk.location()
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

  /** Opens a file; returns null if it does not exist. */
  public static DiskFile openIfThere(Disk disk, String name) throws IOException {
    try {
      return disk.open(name);
    } catch (NoSuchFileException | FileNotFoundException e) {
      return null;
    }
  }

  /** Returns true if the first segment of a database, in a file of that name, has been used. */
  static boolean hasFrame(Disk disk, String name) throws IOException {
    try (DiskFile file = disk.open(name)) {
      return new FrameReader(new FileSource(file, name, 0), 0).hasFrame(0);
    }
  }

  /**
   * A segment gets its header and size before anything else, so an incomplete segment with frames
   * was damaged, and no other check would reveal that.
   */
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
    throw new NoSuchFileException(name + " no longer exists");
  }

  /** Returns true if there is a segment that contains a position. */
  public boolean has(long position) {
    return numbers.contains(position / capacity);
  }

  /** Returns the first position of the first segment; negative if there is none. */
  public long first() {
    return numbers.isEmpty() ? -1 : numbers.first() * capacity;
  }

  /** Returns true if a segment starts at a position; it need not exist yet. */
  public boolean isBoundary(long position) {
    return position % capacity == 0;
  }

  /**
   * Returns the first position of the next existing segment behind a position; negative if there is
   * none.
   */
  @Override
  public long nextFile(long position) {
    Long number = numbers.higher(position / capacity);
    return number == null ? -1 : number * capacity;
  }

  /**
   * Returns the first position of a missing segment before the last one, from a position on;
   * negative if none is missing.
   */
  public long firstMissing(long position) {
    for (long number = position / capacity; numbers.higher(number) != null; number++) {
      if (!numbers.contains(number)) {
        return number * capacity;
      }
    }
    return -1;
  }

  @Override
  public String location(long position) {
    return RedoSegments.location(position, capacity);
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
