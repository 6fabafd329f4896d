package org.nelumbo.dm.redo.backup;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.FileHeader;
import org.nelumbo.dm.redo.ForcedFile;
import org.nelumbo.dm.redo.MemoryImage;
import org.nelumbo.dm.redo.NodeIdFile;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.RedoSegments;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.FileSource;
import org.nelumbo.dm.redo.file.FrameReader;
import org.nelumbo.dm.redo.file.GenerationDisk;
import org.nelumbo.dm.redo.file.LogCheckpoints;
import org.nelumbo.dm.redo.file.PoolNameFile;
import org.nelumbo.dm.redo.file.RowSource;
import org.nelumbo.dm.redo.file.RowVisitor;
import org.nelumbo.dm.redo.file.SegmentSource;

/**
 * The undamaged rows of a database's files, or of the newest backup in a directory, and a report of
 * the damage, by file and offset. Nothing is changed, and other processes may use the files
 * meanwhile. Several threads may read the rows.
 *
 * <p>A frame contains its own position, so the next valid frame behind a damaged one can be found.
 * Of a transaction of several frames the remaining ones count if its COMMIT exists. If the newest
 * image of a row is lost, an earlier one is used.
 */
public final class SoundRows implements RowSource {
  /**
   * Maximum number of attempts: if a checkpoint replaces another one during the check, the check is
   * repeated.
   */
  private static final int LOOKS_MAX = 20;

  private static final String KEEP = ": keep a copy of all files; ";

  private final Disk disk;
  private final List<String> damage = new ArrayList<>();
  private final List<String> contents = new ArrayList<>();

  /** Files of rows; of a row that is in several files, the last one counts. */
  private final List<String> rowFiles = new ArrayList<>();

  private final boolean isBackup;
  private long database;
  private int segmentBytes;
  private boolean isStartKnown;
  private long start;
  private long end;
  private long lastTimestamp;
  private boolean wasClosed;

  /** Transactions of several frames that have a COMMIT, by run and number. */
  private final Set<List<Long>> complete = new HashSet<>();

  private final LogCheckpoints logCheckpoints = new LogCheckpoints();

  private SoundRows(Disk disk, boolean isBackup) {
    this.disk = disk;
    this.isBackup = isBackup;
  }

  /**
   * Reads all bytes of all files in a directory.
   *
   * @param rowFormat format of the images of rows
   * @throws PoolOpenException if it contains neither a database nor backups, or they are of another
   *     version
   * @throws IOException if it cannot be read
   */
  public static SoundRows open(Disk directory, int rowFormat) throws IOException {
    boolean isBackup = directory.list().stream().anyMatch(name -> Backup.number(name) >= 0);
    for (int look = 1; ; look++) {
      Disk disk = isBackup ? directory : GenerationDisk.toRead(directory);
      SoundRows rows = new SoundRows(disk, isBackup);
      try {
        if (isBackup) {
          rows.lookAtBackups(rowFormat);
        } else {
          rows.lookAtDatabase(rowFormat);
        }
        return rows;
      } catch (NoSuchFileException e) {
        if (look == LOOKS_MAX) {
          throw e;
        }
      }
    }
  }

  /** Returns the defect reports, one line each; empty if nothing is damaged. */
  public List<String> damage() {
    return List.copyOf(damage);
  }

  /** Returns a description of the content, in lines. */
  public List<String> contents() {
    return List.copyOf(contents);
  }

  private void damaged(String where, String what) {
    damage.add(what + " in " + disk.location() + KEEP + where);
  }

  private static String range(String name, long from, long to) {
    return "file="
        + name
        + " offset="
        + (RedoLayout.BLOCK + from)
        + " bytes="
        + Math.max(0, to - from);
  }

  // Backups.

  private void lookAtBackups(int rowFormat) throws IOException {
    TreeMap<Long, FileHeader> headers = new TreeMap<>();
    for (String name : disk.list()) {
      long number = Backup.number(name);
      if (number >= 0) {
        FileHeader header = header(name, FileHeader.BACKUP, rowFormat);
        if (header != null && header.first() != number) {
          damaged("file=" + name + " offset=0", "a backup has the number of another one");
          header = null;
        }
        headers.put(number, header);
      }
    }
    FileHeader newest = null;
    for (FileHeader header : headers.values()) {
      newest = header == null ? newest : header;
    }
    long first = newest == null ? headers.firstKey() : newest.second();
    for (long number = first; number <= headers.lastKey(); number++) {
      if (headers.containsKey(number)) {
        rowFiles.add(Backup.name(number));
      }
    }
    lastTimestamp = newest == null ? 0 : newest.timestamp();
    headers.forEach((number, header) -> checkChain(headers, number, header));
    for (long number : headers.keySet()) {
      String name = Backup.name(number);
      FileHeader header = headers.get(number);
      long rows =
          readFile(name, (store, bytes, at, key, image, isDeleted) -> {}, true, damage::add);
      boolean isFull = header != null && header.second() == number;
      contents.add(
          name + (isFull ? " all rows" : " changes since the one before") + " rows=" + rows);
    }
  }

  private void checkChain(Map<Long, FileHeader> headers, long number, FileHeader header) {
    if (header == null || header.second() == number) {
      return;
    }
    String name = Backup.name(number);
    FileHeader before = headers.get(number - 1);
    if (!headers.containsKey(number - 1)) {
      damaged("file=" + Backup.name(number - 1), name + " depends on a backup that is missing");
    } else if (before != null
        && (header.third() != before.timestamp() || header.database() != before.database())) {
      damaged("file=" + name + " offset=0", "a backup does not continue the previous one");
    }
  }

  private FileHeader header(String name, long kind, int rowFormat) throws IOException {
    try (DiskFile file = disk.open(name)) {
      FileHeader header = FileHeader.read(file, name, kind);
      if (header == null) {
        damaged("file=" + name + " offset=0", "the first block of a file is damaged");
      } else if (header.rowFormat() != rowFormat) {
        throw new PoolOpenException(
            "the files in "
                + disk.location()
                + " have the row format of another version of Nelumbo: use that one format="
                + header.rowFormat()
                + " expected="
                + rowFormat);
      }
      return header;
    }
  }

  // A database.

  private void lookAtDatabase(int rowFormat) throws IOException {
    List<String> names = disk.list();
    long newest = -1;
    for (String name : names) {
      newest = Math.max(newest, DatabaseFiles.checkpointNumber(name));
    }
    List<String> segments = new ArrayList<>(RedoSegments.names(disk));
    segments.sort(null);
    if (names.contains(DatabaseFiles.DATABASE)) {
      FileHeader header = header(DatabaseFiles.DATABASE, FileHeader.DATABASE, rowFormat);
      database = header == null ? 0 : header.database();
      segmentBytes = header == null ? 0 : (int) header.first();
    } else if (segments.isEmpty() && newest < 0) {
      throw new PoolOpenException(
          "there is neither a database nor a backup in the directory " + disk.location());
    } else {
      damaged("file=" + DatabaseFiles.DATABASE, "the file that identifies the database is missing");
    }
    if (segmentBytes == 0) {
      askSegments(segments, rowFormat);
    }
    if (newest >= 0) {
      lookAtCheckpoint(DatabaseFiles.checkpointName(newest), newest, rowFormat);
    }
    lookAtLog(newest >= 0);
    lookAtMemory();
    if (names.contains(PoolNameFile.NAME)) {
      lookAtName();
    }
    lookAtNodeId();
    contents.add(
        "database "
            + Long.toHexString(database)
            + " log bytes="
            + (end - start)
            + (wasClosed ? " closed in order" : " not closed in order"));
  }

  /** Takes the segment size and database id from a segment, if the file DATABASE is damaged. */
  private void askSegments(List<String> segments, int rowFormat) throws IOException {
    segmentBytes = RedoOptions.DEFAULT.segmentBytes();
    for (String name : segments) {
      try (DiskFile file = disk.open(name)) {
        FileHeader header = FileHeader.read(file, name, FileHeader.SEGMENT);
        if (header != null && header.rowFormat() == rowFormat) {
          database = header.database();
          segmentBytes = (int) header.second();
          return;
        }
      }
    }
  }

  private void lookAtCheckpoint(String name, long number, int rowFormat) throws IOException {
    FileHeader header = header(name, FileHeader.CHECKPOINT, rowFormat);
    boolean isOther = header != null && database != 0 && header.database() != database;
    if (isOther || header != null && header.second() != number) {
      damaged(
          "file=" + name + " offset=0", "a checkpoint belongs to another database, or was renamed");
      return;
    }
    if (header != null) {
      isStartKnown = true;
      start = header.first();
      lastTimestamp = header.timestamp();
      database = header.database();
    }
    rowFiles.add(name);
    long rows = readFile(name, (store, bytes, at, key, image, isDeleted) -> {}, true, damage::add);
    contents.add(name + " rows=" + rows);
  }

  private void lookAtMemory() throws IOException {
    long damaged = MemoryImage.firstDamaged(disk, wasClosed ? end : -1);
    if (damaged >= 0) {
      damaged(
          "file=" + MemoryImage.NAME + " offset=" + damaged,
          "the memory image of the last close is damaged, rows are loaded instead");
    }
  }

  private void lookAtName() throws IOException {
    try {
      new PoolNameFile(disk, database).read();
    } catch (DamagedFilesException e) {
      damaged("file=" + PoolNameFile.NAME, "the file with the name of the pool is damaged");
    }
  }

  private void lookAtNodeId() throws IOException {
    try {
      NodeIdFile.read(disk, database);
    } catch (DamagedFilesException e) {
      damaged("file=" + NodeIdFile.NAME, "the file with the node id of the log is damaged");
    }
  }

  /** A range between valid frames. */
  private record Gap(long from, long to) {}

  private void lookAtLog(boolean hasCheckpoint) throws IOException {
    try (SegmentSource source = new SegmentSource(disk, database, segmentBytes, damage::add)) {
      long first = source.first();
      isStartKnown |= !hasCheckpoint;
      start = isStartKnown ? start : Math.max(0, first);
      boolean isMissing = !source.has(start) && !(hasCheckpoint && source.isBoundary(start));
      List<Gap> gaps = new ArrayList<>();
      FrameReader reader = new FrameReader(source, start);
      long forced = Math.max(start, forcedOnce());
      while (nextFrame(reader, gaps)) {
        forced = Math.max(forced, reader.forced());
        note(reader);
      }
      end = reader.position();
      for (Gap gap : gaps) {
        boolean isBegin = gap.from() == start && !isStartKnown;
        if (gap.from() >= forced && !isBegin) {
          end = Math.min(end, gap.from()); // the entries behind it were never acknowledged
        } else if (gap.from() < end && !isBegin) {
          damaged(range(source, gap.from(), gap.to()), "the log is damaged");
        }
      }
      if (forced > end) {
        damaged(range(source, end, forced), "the log has lost its end");
      }
      if (isMissing && gaps.isEmpty()) {
        damaged(source.location(start), "the log is missing");
      }
      long missing = source.firstMissing(Math.max(end, first));
      if (missing >= 0) {
        damaged(source.location(missing), "a file of the log is missing");
      }
    }
  }

  /** Returns the forced position at the last clean close. */
  private long forcedOnce() throws IOException {
    long known = new ForcedFile(disk, database).read();
    if (known < 0 && database != 0) {
      damaged(
          "file=" + ForcedFile.NAME,
          "the file with the forced position of the log is missing or damaged");
    }
    return Math.max(0, known);
  }

  private static String range(SegmentSource source, long from, long to) {
    return source.location(from) + " bytes=" + (to - from);
  }

  private static boolean nextFrame(FrameReader reader, List<Gap> gaps) throws IOException {
    long from = reader.position();
    if (reader.next()) {
      return true;
    }
    if (!reader.skip()) {
      return false;
    }
    long found = reader.start();
    reader.seek(from); // it may have been written meanwhile
    if (reader.next()) {
      return true;
    }
    gaps.add(new Gap(from, found));
    return reader.skip();
  }

  private void note(FrameReader reader) {
    lastTimestamp = Math.max(lastTimestamp, reader.timestamp());
    wasClosed = reader.kind() == RedoLayout.CLOSE;
    logCheckpoints.note(reader);
    if (RedoLayout.isCommit(reader.kind()) && reader.transaction() != 0) {
      complete.add(List.of((long) reader.run(), reader.transaction()));
    }
  }

  // Rows.

  @Override
  public void forEachRow(RowVisitor visitor) throws IOException {
    for (String name : rowFiles) {
      readFile(name, visitor, name.equals(rowFiles.getLast()), line -> {});
    }
    if (!isBackup) {
      readLog(visitor);
    }
  }

  /**
   * Passes the rows of a file to a visitor; returns their number.
   *
   * @param isLast true if unordered rows count, because they belong to the state of their own file
   */
  private long readFile(String name, RowVisitor visitor, boolean isLast, Consumer<String> findings)
      throws IOException {
    long[] rows = new long[1];
    RowVisitor counting =
        (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
          rows[0]++;
          visitor.row(store, bytes, offset, keyLength, imageLength, isDeleted);
        };
    try (DiskFile file = disk.open(name)) {
      List<Gap> gaps = new ArrayList<>();
      FrameReader frames = new FrameReader(new FileSource(file, name, 0), 0);
      long wanted = -1;
      while (wanted < 0 && nextFrame(frames, gaps)) {
        switch (frames.kind()) {
          case RedoLayout.ROWS -> frames.forEachRow(counting);
          case RedoLayout.UNORDERED_ROWS -> frames.forEachRow(isLast ? counting : count(rows));
          case RedoLayout.COMPLETE -> wanted = frames.transaction();
          default -> gaps.add(new Gap(frames.start(), frames.position()));
        }
      }
      long size = file.size() - RedoLayout.BLOCK;
      if (wanted < 0) {
        gaps.add(new Gap(frames.position(), Math.max(frames.position(), size)));
      }
      for (Gap gap : gaps) {
        tell(findings, "a file of rows is damaged", range(name, gap.from(), gap.to()));
      }
      if (wanted >= 0 && wanted != rows[0]) {
        tell(
            findings,
            "a file of rows has rows=" + rows[0] + " of=" + wanted,
            range(name, 0, frames.position()));
      }
    }
    return rows[0];
  }

  private static RowVisitor count(long[] rows) {
    return (store, bytes, offset, keyLength, imageLength, isDeleted) -> rows[0]++;
  }

  private void tell(Consumer<String> findings, String what, String where) {
    findings.accept(what + " in " + disk.location() + KEEP + where);
  }

  private void readLog(RowVisitor visitor) throws IOException {
    try (SegmentSource source = new SegmentSource(disk, database, segmentBytes, line -> {})) {
      FrameReader reader = new FrameReader(source, start);
      List<Gap> gaps = new ArrayList<>();
      while (nextFrame(reader, gaps) && reader.position() <= end) {
        if (counts(reader)) {
          reader.forEachRow(visitor);
        }
      }
    }
  }

  private boolean counts(FrameReader reader) {
    return DatabaseFiles.counts(reader, logCheckpoints, complete);
  }
}
