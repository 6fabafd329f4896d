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
import org.nelumbo.dm.redo.file.LogCheckpoints;
import org.nelumbo.dm.redo.file.RowSource;
import org.nelumbo.dm.redo.file.RowVisitor;
import org.nelumbo.dm.redo.file.SegmentSource;
import org.nelumbo.dm.redo.node.LogDifference;
import org.nelumbo.dm.redo.node.LogParts;

/**
 * The rows of a backup, followed by the rows in the log of its database that were committed after
 * the backup and up to a later timestamp. Several threads may read them.
 */
public final class LoggedRows implements RowSource {
  private final BackupRows base;
  private final Backup backup;
  private final LogParts log;
  private final long until;
  private final int segmentBytes;

  /** Timestamps of transactions of several frames that have a COMMIT, by run and number. */
  private final Map<List<Long>, Long> complete = new HashMap<>();

  private final LogCheckpoints logCheckpoints = new LogCheckpoints();

  private long start;

  private long end;

  /**
   * For a node's log: upper bound of the timestamps of commits before its start; 0 if there are
   * none.
   */
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
   * Finds the commits in a log. Nothing is changed, and the database may continue to use its log.
   * Of the logs of several memory nodes it uses the log of the node that was live last.
   *
   * @param base rows of the backup
   * @param directories directories of segments: the database's directory first, then its archives
   * @param until timestamp of the last requested commit, not less than the timestamp of the backup
   * @throws PoolOpenException if there is no log, it belongs to another database or starts behind
   *     the backup; or if it is unknown which of several nodes was live last
   * @throws DamagedFilesException if the log is incomplete or damaged
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
                  + directories.getFirst().location()
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
   * Returns true if this log lacks requested commits that another log has, or may have had before
   * its start. This happens if a node returned after an absence and was given a log.
   */
  private boolean mayLack(LoggedRows other) throws IOException {
    if (other.isBefore(this)) {
      return false;
    }
    long common =
        other.logCheckpoints.newest(LogDifference.MARKS_MAX, 0).stream()
            .filter(id -> logCheckpoints.behind(id) >= 0)
            .findFirst()
            .orElse(0L);
    boolean isMore =
        !wantedBehind(logCheckpoints.behind(common))
            .containsAll(other.wantedBehind(other.logCheckpoints.behind(common)));
    return isMore || (until > lastTimestamp && other.largestBefore > lastTimestamp);
  }

  private PoolOpenException beginsBehind() {
    return new PoolOpenException(
        "the log begins after the backup "
            + backup.name()
            + ": add the directory of the earlier part, or use a later backup log="
            + log.location());
  }

  /**
   * Returns the log of the node that was live last, which has a log checkpoint that the others do
   * not have.
   *
   * <p>If several logs share the last log checkpoint: the nodes that stayed live have all commits
   * of the node that did not, except for unacknowledged ones, which not all live nodes had. They
   * also have the commits made without it, perhaps with earlier timestamps than its own, so the
   * latest commit decides nothing. A log that has all requested commits of all of them is the log
   * of a live node, or as good. If there is none, the user has to choose.
   */
  private static LoggedRows latest(List<LoggedRows> found) throws IOException {
    List<LoggedRows> last =
        found.stream().filter(rows -> found.stream().noneMatch(rows::isBefore)).toList();
    if (last.size() == 1) {
      return last.getFirst();
    }
    List<Set<Long>> commits = new ArrayList<>();
    for (LoggedRows rows : last) {
      commits.add(rows.wantedBehind(rows.logCheckpoints.last()));
    }
    for (int i = 0; i < last.size(); i++) {
      if (commits.stream().allMatch(commits.get(i)::containsAll)) {
        return last.get(i);
      }
    }
    throw new PoolOpenException(
        "each of several logs has commits that another one lacks, and nothing shows which"
            + " node was live last: name only the directories of a node that was logs="
            + last.stream().map(LoggedRows::location).collect(Collectors.joining(", ")));
  }

  /**
   * Returns true if the node of this log was last live earlier than the node of another log. If
   * each has a log checkpoint that the other does not have, one of the logs starts later, and the
   * latest commits decide.
   */
  private boolean isBefore(LoggedRows other) {
    boolean hasMore = hasMarkBeyond(other);
    return other.hasMarkBeyond(this) && (!hasMore || lastTimestamp < other.lastTimestamp);
  }

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
    List<Long> newest = logCheckpoints.newest(1, 0);
    return !newest.isEmpty() && other.logCheckpoints.behind(newest.getFirst()) < 0;
  }

  private SegmentSource source() throws IOException {
    return new SegmentSource(log.disks(), backup.database(), segmentBytes);
  }

  /** Returns false if the log starts behind the backup. */
  private boolean look() throws IOException {
    boolean reachesBack;
    try (SegmentSource source = source()) {
      long missing = source.firstMissing(source.first());
      if (missing >= 0) {
        throw new DamagedFilesException(
            "the log is incomplete, "
                + source.location(missing)
                + " is missing log="
                + log.location());
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
    if (!logCheckpoints.replacedBehind(0).isEmpty()) {
      lastTimestamp = 0; // some of the commits were replaced
      lastReplayed = 0;
      forEachFrame(this::noteCommit);
    }
    return reachesBack;
  }

  private DamagedFilesException damaged(SegmentSource source, long position) {
    return new DamagedFilesException(
        "the log is damaged: " + source.location(position) + " log=" + log.location());
  }

  /** In a node's log the first commit does not bound the timestamps of those before its start. */
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
    logCheckpoints.note(reader);
    noteCommit(reader);
    if (RedoLayout.isCommit(reader.kind()) && reader.transaction() != 0) {
      complete.put(List.of((long) reader.run(), reader.transaction()), reader.timestamp());
    }
  }

  private void noteCommit(FrameReader reader) {
    if (RedoLayout.isCommit(reader.kind()) && logCheckpoints.counts(reader)) {
      lastTimestamp = Math.max(lastTimestamp, reader.timestamp());
      if (isWanted(reader.timestamp())) {
        lastReplayed = Math.max(lastReplayed, reader.timestamp());
      }
    }
  }

  private boolean isWanted(long timestamp) {
    return timestamp > backup.timestamp() && timestamp <= until;
  }

  /** Returns the location of the log for messages. */
  public String location() {
    return log.location();
  }

  /** Returns the timestamp of the last commit in the log, requested or not; 0 if it has none. */
  public long lastTimestamp() {
    return lastTimestamp;
  }

  /**
   * Returns the timestamp of the last requested commit; the timestamp of the backup if there is
   * none.
   */
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
    return logCheckpoints.counts(reader)
        && switch (reader.kind()) {
          case RedoLayout.COMMIT, RedoLayout.COPIED_COMMIT -> isWanted(reader.timestamp());
          case RedoLayout.PART, RedoLayout.COPIED_PART ->
              isWanted(
                  complete.getOrDefault(List.of((long) reader.run(), reader.transaction()), 0L));
          default -> false;
        };
  }
}
