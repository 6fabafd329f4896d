package org.nelumbo.dm.redo.backup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.file.FrameReader;
import org.nelumbo.dm.redo.file.LogMarks;
import org.nelumbo.dm.redo.file.RowSource;
import org.nelumbo.dm.redo.file.RowVisitor;
import org.nelumbo.dm.redo.file.SegmentSource;
import org.nelumbo.dm.redo.node.LogDifference;
import org.nelumbo.dm.redo.node.LogParts;

/**
 * The rows of a backup, and on top of them what the log of its database has of commits between the
 * backup and a later moment. Several threads may read them.
 */
public final class LoggedRows implements RowSource {
  private final BackupRows base;
  private final Backup backup;
  private final LogParts log;
  private final long until;
  private final int segmentBytes;

  /** Timestamps of transactions of several frames that have a COMMIT, by run and number. */
  private final Map<List<Long>, Long> complete = new HashMap<>();

  private final LogMarks marks = new LogMarks();

  /** Where the first frame is. */
  private long start;

  /** Behind the last frame that counts. */
  private long end;

  /** Of a node's log: no commit before its beginning has a larger timestamp; 0: there is none. */
  private long largestBefore;

  private long lastTimestamp;
  private long lastReplayed;

  private LoggedRows(BackupRows base, Backup backup, LogParts log, long until, int segmentBytes) {
    this.base = base;
    this.backup = backup;
    this.log = log;
    this.until = until;
    this.segmentBytes = segmentBytes;
  }

  /**
   * Finds the commits in a log; nothing is changed, and the database may go on with its log. If
   * there are logs of several memory nodes, that of the one is taken which was live last.
   *
   * @param base the rows of the backup
   * @param directories what has segments: the database's directory first, then its archives
   * @param until timestamp of the last commit that is wanted, not less than the backup's
   * @throws PoolOpenException if there is no log, or it is another database's, or begins behind the
   *     backup; or nothing tells which of several nodes was live last
   * @throws DamagedFilesException if it is not all there, or not as it was written
   */
  public static LoggedRows open(BackupRows base, Backup backup, List<Disk> directories, long until)
      throws IOException {
    List<LoggedRows> found = new ArrayList<>();
    List<LoggedRows> beginBehind = new ArrayList<>();
    for (LogParts log : LogParts.in(directories, backup.database())) {
      int segmentBytes = log.segmentBytes();
      if (segmentBytes > 0) {
        LoggedRows rows = new LoggedRows(base, backup, log, until, segmentBytes);
        (rows.look() ? found : beginBehind).add(rows);
      }
    }
    if (found.isEmpty()) {
      throw beginBehind.isEmpty()
          ? new PoolOpenException(
              "there is no log in "
                  + directories.getFirst().place()
                  + ": name the directory of the database, and that of its archive")
          : beginBehind.getLast().beginsBehind();
    }
    LoggedRows latest = latest(found);
    for (LoggedRows each : beginBehind) {
      if (latest.mayLack(each)) {
        throw each.beginsBehind();
      }
    }
    return latest;
  }

  /**
   * Whether something is wanted that this one has not, and another one has, or may have had before
   * it begins: that of a node that was given a log when it had been away.
   */
  private boolean mayLack(LoggedRows other) throws IOException {
    if (other.isBefore(this)) {
      return false;
    }
    long common =
        other.marks.newest(LogDifference.MARKS_MAX, 0).stream()
            .filter(id -> marks.behind(id) >= 0)
            .findFirst()
            .orElse(0L);
    boolean isMore =
        !wantedBehind(marks.behind(common))
            .containsAll(other.wantedBehind(other.marks.behind(common)));
    return isMore || (until > lastTimestamp && other.largestBefore > lastTimestamp);
  }

  private PoolOpenException beginsBehind() {
    return new PoolOpenException(
        "the log begins behind the backup "
            + backup.name()
            + ": add the directory in which the earlier part is, or take a later backup log="
            + log.place());
  }

  /**
   * That of the node which was live last: it has a mark that the others have not.
   *
   * <p>Where several have the same last mark, those that were live have what the one has that was
   * not, but for commits of which nobody was told, since not all live nodes had them. And they have
   * what was committed without it, perhaps with earlier timestamps than it has: so the latest
   * commit tells nothing. One that has all that any of them has, of what is wanted, is as good as
   * the one that was live, or it is that one. If there is none such, people have to say which it
   * was.
   */
  private static LoggedRows latest(List<LoggedRows> found) throws IOException {
    List<LoggedRows> last =
        found.stream().filter(rows -> found.stream().noneMatch(rows::isBefore)).toList();
    if (last.size() == 1) {
      return last.getFirst();
    }
    List<Set<Long>> commits = new ArrayList<>();
    for (LoggedRows rows : last) {
      commits.add(rows.wantedBehind(rows.marks.last()));
    }
    for (int i = 0; i < last.size(); i++) {
      if (commits.stream().allMatch(commits.get(i)::containsAll)) {
        return last.get(i);
      }
    }
    throw new PoolOpenException(
        "each of several logs has commits that another one does not have, and nothing tells which"
            + " node was live last: name the directories of one that was logs="
            + last.stream().map(LoggedRows::place).collect(Collectors.joining(", ")));
  }

  /**
   * Whether its node was live only before that of another one. If each has a mark that the other
   * one has not, one of the logs begins later, and the latest commits tell.
   */
  private boolean isBefore(LoggedRows other) {
    boolean hasMore = hasMarkBeyond(other);
    return other.hasMarkBeyond(this) && (!hasMore || lastTimestamp < other.lastTimestamp);
  }

  /** Timestamps of commits. */
  private Set<Long> wantedBehind(long position) throws IOException {
    Set<Long> wanted = new HashSet<>();
    forEachFrame(
        frame -> {
          if (frame.start() >= position && RedoLayout.isCommit(frame.kind()) && counts(frame)) {
            wanted.add(frame.timestamp());
          }
        });
    return wanted;
  }

  private boolean hasMarkBeyond(LoggedRows other) {
    List<Long> newest = marks.newest(1, 0);
    return !newest.isEmpty() && other.marks.behind(newest.getFirst()) < 0;
  }

  private SegmentSource source() throws IOException {
    return new SegmentSource(log.disks(), backup.database(), segmentBytes);
  }

  /** Reads all of it; returns false if it begins behind the backup. */
  private boolean look() throws IOException {
    boolean reachesBack;
    try (SegmentSource source = source()) {
      long missing = source.firstMissing(source.first());
      if (missing >= 0) {
        throw new DamagedFilesException(
            "the log is not all there, "
                + source.place(missing)
                + " is missing log="
                + log.place());
      }
      start = new FrameReader(source, source.first()).firstFrame(source.first());
      reachesBack = reachesBack(source);
      FrameReader reader = new FrameReader(source, Math.max(start, 0));
      while (start >= 0 && reader.next()) {
        note(reader);
      }
      end = reader.position();
      for (long from = end; from >= 0; from = source.nextFile(from)) {
        if (reader.isForcedBeyond(from)) {
          throw damaged(source, end);
        }
      }
    }
    if (!marks.replacedBehind(0).isEmpty()) {
      lastTimestamp = 0; // some of the commits do not count
      lastReplayed = 0;
      forEachFrame(this::noteCommit);
    }
    return reachesBack;
  }

  private DamagedFilesException damaged(SegmentSource source, long position) {
    return new DamagedFilesException(
        "the log is damaged: " + source.place(position) + " log=" + log.place());
  }

  /**
   * Whether it has all commits behind the backup. In the log of a node those before its beginning
   * are not known by the first that it has.
   */
  private boolean reachesBack(SegmentSource source) throws IOException {
    if (source.first() == 0) {
      return true;
    }
    if (log.isOfNode()) {
      largestBefore = log.largestBefore(source.first() / (segmentBytes - RedoLayout.BLOCK));
      return largestBefore <= backup.timestamp();
    }
    FrameReader reader = new FrameReader(source, Math.max(start, 0));
    while (start >= 0 && reader.next()) {
      if (reader.timestamp() != 0) {
        return reader.timestamp() <= backup.timestamp();
      }
    }
    return false;
  }

  private void note(FrameReader reader) {
    marks.note(reader);
    noteCommit(reader);
    if (RedoLayout.isCommit(reader.kind()) && reader.transaction() != 0) {
      complete.put(List.of((long) reader.run(), reader.transaction()), reader.timestamp());
    }
  }

  private void noteCommit(FrameReader reader) {
    if (RedoLayout.isCommit(reader.kind()) && marks.counts(reader)) {
      lastTimestamp = Math.max(lastTimestamp, reader.timestamp());
      if (isWanted(reader.timestamp())) {
        lastReplayed = Math.max(lastReplayed, reader.timestamp());
      }
    }
  }

  private boolean isWanted(long timestamp) {
    return timestamp > backup.timestamp() && timestamp <= until;
  }

  /** What people know the log by. */
  public String place() {
    return log.place();
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
    forEachFrame(
        frame -> {
          if (counts(frame)) {
            frame.forEachRow(visitor);
          }
        });
  }

  private void forEachFrame(Consumer<FrameReader> visitor) throws IOException {
    try (SegmentSource source = source()) {
      FrameReader reader = new FrameReader(source, start);
      while (reader.position() < end) {
        if (!reader.next()) {
          throw damaged(source, reader.position());
        }
        visitor.accept(reader);
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
