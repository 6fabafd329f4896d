package org.nelumbo.dm.redo;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The rows of a backup, and on top of them what the log of its database has of commits between the
 * backup and a later moment. Several threads may read them.
 */
public final class LoggedRows implements RowSource {
  private final BackupRows base;
  private final Backup backup;
  private final List<Disk> log;
  private final long until;
  private final int segmentBytes;

  /** Timestamps of transactions of several frames that have a COMMIT, by run and number. */
  private final Map<List<Long>, Long> complete = new HashMap<>();

  private final LogMarks marks = new LogMarks();

  /** Where the first frame is. */
  private long start;

  /** Behind the last frame that counts. */
  private long end;

  private long lastTimestamp;
  private long lastReplayed;

  private LoggedRows(BackupRows base, Backup backup, List<Disk> log, long until, int segmentBytes) {
    this.base = base;
    this.backup = backup;
    this.log = log;
    this.until = until;
    this.segmentBytes = segmentBytes;
  }

  /**
   * Finds the commits in a log; nothing is changed, and the database may go on with its log.
   *
   * @param base the rows of the backup
   * @param log what has segments: the database's directory first, then its archives
   * @param until timestamp of the last commit that is wanted, not less than the backup's
   * @throws PoolOpenException if there is no log, or it is another database's, or begins behind the
   *     backup
   * @throws DamagedFilesException if it is not all there, or not as it was written
   */
  public static LoggedRows open(BackupRows base, Backup backup, List<Disk> log, long until)
      throws IOException {
    int segmentBytes = checkHeaders(backup, log);
    LoggedRows rows = new LoggedRows(base, backup, log, until, segmentBytes);
    try (SegmentSource source = rows.source()) {
      rows.look(source);
    }
    return rows;
  }

  /** Whether all segments are of the backup's database; returns how many bytes each has. */
  private static int checkHeaders(Backup backup, List<Disk> log) throws IOException {
    int segmentBytes = 0;
    for (Disk disk : log) {
      for (String name : RedoSegments.names(disk)) {
        try (DiskFile file = SegmentSource.openIfThere(disk, name)) {
          FileHeader header = file == null ? null : FileHeader.read(file, name, FileHeader.SEGMENT);
          if (header != null && header.database() != backup.database()) {
            throw new PoolOpenException(
                "the log in "
                    + disk.place()
                    + " is of another database than the backup: name that of the database which"
                    + " was backed up");
          }
          segmentBytes = header == null ? segmentBytes : (int) header.second();
        }
      }
    }
    if (segmentBytes == 0) {
      throw new PoolOpenException(
          "there is no log in "
              + log.getFirst().place()
              + ": name the directory of the database, and that of its archive");
    }
    return segmentBytes;
  }

  private SegmentSource source() throws IOException {
    return new SegmentSource(log, backup.database(), segmentBytes);
  }

  private void look(SegmentSource source) throws IOException {
    long missing = source.firstMissing(source.first());
    if (missing >= 0) {
      throw new DamagedFilesException(
          "the log is not all there, " + source.place(missing) + " is missing");
    }
    start = new FrameReader(source, source.first()).firstFrame(source.first());
    FrameReader reader = new FrameReader(source, Math.max(start, 0));
    boolean isJoined = source.first() == 0;
    while (start >= 0 && reader.next()) {
      isJoined |= reader.timestamp() <= backup.timestamp();
      note(reader);
      if (!isJoined) {
        break;
      }
    }
    if (!isJoined) {
      throw new PoolOpenException(
          "the log begins behind the backup "
              + backup.name()
              + ": add the directory in which the earlier part is, or take a later backup");
    }
    end = reader.position();
    for (long from = end; from >= 0; from = source.nextFile(from)) {
      if (reader.isForcedBeyond(from)) {
        throw new DamagedFilesException("the log is damaged: " + source.place(end));
      }
    }
  }

  private void note(FrameReader reader) {
    marks.note(reader);
    if (RedoLayout.isCommit(reader.kind())) {
      lastTimestamp = Math.max(lastTimestamp, reader.timestamp());
      if (isWanted(reader.timestamp())) {
        lastReplayed = Math.max(lastReplayed, reader.timestamp());
      }
      if (reader.transaction() != 0) {
        complete.put(List.of((long) reader.run(), reader.transaction()), reader.timestamp());
      }
    }
  }

  private boolean isWanted(long timestamp) {
    return timestamp > backup.timestamp() && timestamp <= until;
  }

  /** Timestamp of the last commit that the log has, wanted or not; 0 if it has none. */
  public long lastTimestamp() {
    return lastTimestamp;
  }

  /** Timestamp of the last commit that is shown; that of the backup if none is. */
  public long lastShown() {
    return Math.max(lastReplayed, backup.timestamp());
  }

  @Override
  public void forEachRow(RowVisitor visitor) throws IOException {
    base.forEachRow(visitor);
    replay(visitor);
  }

  @Override
  public void forEachRow(int store, RowVisitor visitor) throws IOException {
    base.forEachRow(store, visitor);
    replay(visitor.ofStore(store));
  }

  private void replay(RowVisitor visitor) throws IOException {
    try (SegmentSource source = source()) {
      FrameReader reader = new FrameReader(source, start);
      while (reader.position() < end) {
        if (!reader.next()) {
          throw new DamagedFilesException("the log is damaged: " + source.place(reader.position()));
        }
        if (counts(reader)) {
          reader.forEachRow(visitor);
        }
      }
    }
  }

  private boolean counts(FrameReader reader) {
    return marks.counts(reader)
        && switch (reader.kind()) {
          case RedoLayout.COMMIT, RedoLayout.COPIED_COMMIT -> isWanted(reader.timestamp());
          case RedoLayout.PART, RedoLayout.COPIED_PART ->
              isWanted(
                  complete.getOrDefault(List.of((long) reader.run(), reader.transaction()), 0L));
          default -> false;
        };
  }
}
