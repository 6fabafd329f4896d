package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.FileHeader;
import org.nelumbo.dm.redo.ForcedFile;
import org.nelumbo.dm.redo.LogArchive;
import org.nelumbo.dm.redo.MemoryImage;
import org.nelumbo.dm.redo.NodeIdFile;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.RedoSegments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one database: its identity, its newest checkpoint, and its log. The existing files
 * are read first, as often as necessary; then the log continues.
 *
 * <p>The end of the log is found by reading: it is the first invalid frame. If a frame behind it
 * states that the log was forced beyond that position, the invalid frame was damaged later, and the
 * database is not opened. Otherwise it was being written at the crash, and was never acknowledged.
 * A log that does not end with a CLOSE is accepted only with the file that contains the forced
 * position at the last clean close ({@link ForcedFile}).
 */
public final class DatabaseFiles implements RowSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFiles.class);
  private static final String UNFINISHED = ".new";

  /** Name of the file that is created last: a directory without it contains no database. */
  public static final String DATABASE = "DATABASE";

  /** Name of that file while it is being created. */
  public static final String UNFINISHED_DATABASE = DATABASE + UNFINISHED;

  private static final String CHECKPOINT = "checkpoint-";
  private static final int DIGITS = 16;

  private final Disk disk;
  private final RedoOptions options;
  private final FileHeader database;
  private final boolean isNew;
  private final RedoLog log;
  private final RedoSegments segments;
  private final ForcedFile forcedFile;

  /** Null if there is no checkpoint. */
  private volatile FileHeader checkpoint;

  /** Transactions of several frames that have a COMMIT, by run and number. */
  private final Set<List<Long>> complete = new HashSet<>();

  private final LogCheckpoints logCheckpoints = new LogCheckpoints();

  private long end;

  private boolean hasTail;

  /** Position up to which a force has succeeded, according to the frames. */
  private long lastForced;

  /**
   * Memory of the pool at the clean close at the end of the log; null if the pool has to be built
   * from rows.
   */
  private MemoryImage image;

  private int lastRun;
  private long lastTimestamp;
  private boolean wasClosed;
  private volatile long checkpointBytes;

  private DatabaseFiles(
      Environment environment, Disk disk, RedoOptions options, FileHeader database, boolean isNew)
      throws IOException {
    this.disk = disk;
    this.options = options;
    this.database = database;
    this.isNew = isNew;
    LogArchive archive = null;
    if (options.archive() != null) {
      long node =
          options.isOfNode() ? NodeIdFile.readOrMake(disk, database.database(), environment) : 0;
      archive = open(options.archive(), database, node);
    }
    this.segments = new RedoSegments(environment, disk, database, archive);
    this.log = new RedoLog(environment, disk, options, segments);
    this.forcedFile = new ForcedFile(disk, database.database());
  }

  /**
   * Opens the files of a database whose pool is always built from rows, or creates those of a new
   * one on an empty disk. Closing this closes the disk.
   *
   * @param rowFormat format of the images of rows
   * @param expectation whether a database has to exist, and which one
   * @throws PoolOpenException if the files are not a database, or cannot be read
   * @throws DamagedFilesException if they are damaged
   */
  public static DatabaseFiles open(
      Environment environment,
      Disk disk,
      RedoOptions options,
      int rowFormat,
      PoolExpectation expectation) {
    return open(environment, disk, options, rowFormat, expectation, 0);
  }

  /**
   * Opens the files of a database, or creates those of a new one on an empty disk. Closing this
   * closes the disk.
   *
   * @param rowFormat format of the images of rows
   * @param expectation whether a database has to exist, and which one
   * @param nodeBytes memory size of the pool, of one node, if an {@link #image} is requested; else
   *     0
   * @throws PoolOpenException if the files are not a database, or cannot be read
   * @throws DamagedFilesException if they are damaged
   */
  public static DatabaseFiles open(
      Environment environment,
      Disk disk,
      RedoOptions options,
      int rowFormat,
      PoolExpectation expectation,
      long nodeBytes) {
    try {
      List<String> names = disk.list();
      boolean isNew = !names.contains(DATABASE);
      if (isNew) {
        expectation.checkNoFiles(disk.location());
      }
      FileHeader database =
          isNew ? make(disk, names, options, rowFormat, environment) : read(disk, rowFormat);
      if (!isNew) {
        expectation.checkFound(database.database(), disk.location());
      }
      DatabaseFiles files = new DatabaseFiles(environment, disk, options, database, isNew);
      boolean isOpen = false;
      try {
        files.look(disk.list(), nodeBytes);
        isOpen = true;
        return files;
      } finally {
        if (!isOpen) {
          files.stop();
        }
      }
    } catch (IOException e) {
      throw new PoolOpenException("cannot open the database in " + disk.location() + ": " + e, e);
    }
  }

  private static LogArchive open(Supplier<Disk> opener, FileHeader database, long node)
      throws IOException {
    Disk disk = opener.get();
    boolean isOpen = false;
    try {
      LogArchive archive = new LogArchive(disk, database, node);
      isOpen = true;
      return archive;
    } finally {
      if (!isOpen) {
        disk.close();
      }
    }
  }

  private static FileHeader make(
      Disk disk, List<String> names, RedoOptions options, int rowFormat, Environment environment)
      throws IOException {
    for (String name : names) {
      checkUnfinished(disk, name);
    }
    for (String name : names) {
      disk.delete(name);
    }
    if (!names.isEmpty()) {
      disk.forceNames(); // otherwise an old file might reappear beside files of this database
    }
    FileHeader header =
        new FileHeader(
            FileHeader.DATABASE,
            rowFormat,
            environment.randomLong() | 1,
            options.segmentBytes(),
            environment.epochMicros(),
            0,
            0);
    RedoSegments first = new RedoSegments(environment, disk, header, null);
    first.makeFirst();
    new ForcedFile(disk, header.database()).make();
    try (DiskFile file = disk.create(UNFINISHED_DATABASE)) {
      header.write(file);
      file.force();
    }
    disk.rename(UNFINISHED_DATABASE, DATABASE);
    disk.forceNames();
    return header;
  }

  /** Checks that a file can belong to a database whose creation was interrupted. */
  private static void checkUnfinished(Disk disk, String name) throws IOException {
    if (ForcedFile.isFirst(disk, name)) {
      return;
    }
    long number = RedoSegments.number(name);
    if (number > 0
        || name.equals(ForcedFile.NAME)
        || name.equals(MemoryImage.NAME)
        || checkpointNumber(name) >= 0
        || (number == 0 && SegmentSource.hasFrame(disk, name))) {
      throw new DamagedFilesException(
          "the file "
              + DATABASE
              + " in "
              + disk.location()
              + " is missing, while there are files of a database: keep a copy of them; file="
              + name);
    }
    if (number != 0 && !name.equals(UNFINISHED_DATABASE)) {
      throw new PoolOpenException(
          "the directory has files, but no database: name an empty directory, or one that"
              + " does not exist directory="
              + disk.location()
              + " file="
              + name);
    }
  }

  private static FileHeader read(Disk disk, int rowFormat) throws IOException {
    try (DiskFile file = disk.open(DATABASE)) {
      FileHeader header = FileHeader.read(file, DATABASE, FileHeader.DATABASE);
      if (header == null) {
        throw new DamagedFilesException(
            "the file "
                + DATABASE
                + " in "
                + disk.location()
                + " is damaged: keep a copy of all files");
      }
      if (header.rowFormat() != rowFormat) {
        throw new PoolOpenException(
            "the database in "
                + disk.location()
                + " has the row format of another version of Nelumbo: open it with that one"
                + " format="
                + header.rowFormat()
                + " expected="
                + rowFormat);
      }
      return header;
    }
  }

  private void look(List<String> names, long nodeBytes) throws IOException {
    long newest = -1;
    for (String name : names) {
      if (name.equals(CHECKPOINT + UNFINISHED)) {
        disk.delete(name);
      }
      newest = Math.max(newest, checkpointNumber(name));
    }
    if (newest >= 0) {
      String name = checkpointName(newest);
      try (DiskFile file = disk.open(name)) {
        checkpoint = FileHeader.read(file, name, FileHeader.CHECKPOINT);
        boolean isOwn =
            checkpoint != null
                && checkpoint.database() == database.database()
                && checkpoint.second() == newest;
        if (!isOwn) {
          throw damaged("file=" + name);
        }
        lastRun = (int) checkpoint.third();
        lastTimestamp = checkpoint.timestamp();
        checkpointBytes = file.size();
      }
    }
    MemoryImage found = nodeBytes == 0 ? null : MemoryImage.open(disk, database.database());
    boolean isUsed = false;
    try {
      isUsed = found != null && found.nodeBytes() == nodeBytes && lookAtEnd(found);
      if (isUsed) {
        image = found;
      } else {
        lookAtLog(start());
      }
    } finally {
      if (found != null && !isUsed) {
        found.close();
      }
    }
  }

  /**
   * Returns true if the log ends where an image of the memory was made; then its end has been read.
   */
  private boolean lookAtEnd(MemoryImage found) throws IOException {
    long close = found.position() - RedoLayout.padded(RedoLayout.HEADER);
    boolean isLast = close >= start() && endsWith(found, close);
    if (isLast) {
      lookAtLog(close);
      lastForced = end; // the image was written after the log was forced up to its end
    }
    return isLast;
  }

  private boolean endsWith(MemoryImage found, long close) throws IOException {
    try (SegmentSource source = new SegmentSource(disk, database)) {
      FrameReader reader = new FrameReader(source, close);
      return reader.next()
          && reader.kind() == RedoLayout.CLOSE
          && reader.run() == found.run()
          && reader.timestamp() == found.timestamp()
          && !reader.next();
    }
  }

  private void lookAtLog(long from) throws IOException {
    try (SegmentSource source = new SegmentSource(disk, database)) {
      FrameReader reader = new FrameReader(source, from);
      if (!source.has(from) && (checkpoint == null || !source.isBoundary(from))) {
        throw damaged(source.location(from) + " is missing");
      }
      while (reader.next()) {
        note(reader);
      }
      end = reader.position();
      hasTail = source.has(end);
      checkForced(source);
      for (long at = end; at >= 0; at = source.nextFile(at)) {
        if (reader.isForcedBeyond(at)) {
          throw damaged(source.location(end));
        }
      }
      long missing = source.firstMissing(end);
      if (missing >= 0) {
        throw damaged(source.location(missing) + " is missing"); // created one by one: a loss
      }
    }
  }

  private void checkForced(SegmentSource source) throws IOException {
    long forced = forcedFile.read();
    if (forced > end) {
      throw damaged(source.location(end));
    }
    if (forced < 0 && !wasClosed) {
      throw new DamagedFilesException(
          "the file "
              + ForcedFile.NAME
              + " in "
              + disk.location()
              + " is missing or damaged, so it is unknown whether the log is complete: keep"
              + " a copy of all files; file="
              + ForcedFile.NAME);
    }
  }

  private void note(FrameReader reader) {
    lastRun = Math.max(lastRun, reader.run());
    lastTimestamp = Math.max(lastTimestamp, reader.timestamp());
    lastForced = Math.max(lastForced, reader.forced());
    wasClosed = reader.kind() == RedoLayout.CLOSE;
    logCheckpoints.note(reader);
    if (RedoLayout.isCommit(reader.kind()) && reader.transaction() != 0) {
      complete.add(List.of((long) reader.run(), reader.transaction()));
    }
  }

  private DamagedFilesException damaged(String where) {
    return new DamagedFilesException(
        "the database in "
            + disk.location()
            + " is damaged, and there are commits after the damage: keep a copy of all"
            + " files, then restore a backup, or save all readable data with nelumbo salvage"
            + " DIRECTORY URL; "
            + where);
  }

  /** Returns the number of the checkpoint with a file name; negative for other files. */
  public static long checkpointNumber(String name) {
    return name.matches(CHECKPOINT + "[0-9a-f]{" + DIGITS + "}")
        ? Long.parseUnsignedLong(name.substring(CHECKPOINT.length()), 16)
        : -1;
  }

  public static String checkpointName(long number) {
    return CHECKPOINT + String.format("%0" + DIGITS + "x", number);
  }

  /** Returns the start position of the replay. */
  public long start() {
    return checkpoint == null ? 0 : checkpoint.first();
  }

  /** Returns the bytes of frames in a segment. */
  public long capacity() {
    return database.first() - RedoLayout.BLOCK;
  }

  public int rowFormat() {
    return database.rowFormat();
  }

  public RedoOptions options() {
    return options;
  }

  /** Returns the names of the files that contain the data before a position, without DATABASE. */
  public List<String> names(long position) throws IOException {
    List<String> found = new ArrayList<>();
    for (String name : disk.list()) {
      long segment = RedoSegments.number(name);
      boolean isNeeded =
          name.equals(ForcedFile.NAME)
              || segment >= start() / capacity() && segment <= (position - 1) / capacity()
              || checkpoint != null && name.equals(checkpointName(checkpoint.second()));
      if (isNeeded) {
        found.add(name);
      }
    }
    return found;
  }

  /**
   * Returns the memory of the pool at the end of the log; null if the pool has to be built from
   * rows. The caller closes it.
   */
  public MemoryImage image() {
    return image;
  }

  /**
   * Discards the image, so that the pool is built from rows.
   *
   * @throws IOException if the log cannot be read
   */
  public void giveUpImage() throws IOException {
    image = null;
    lookAtLog(start());
  }

  /** Returns the id of the database, drawn at its creation. */
  public long id() {
    return database.database();
  }

  /** Returns true if this call created the database. */
  public boolean isNew() {
    return isNew;
  }

  /** Returns true if the previous process closed the database cleanly. */
  public boolean wasClosed() {
    return wasClosed;
  }

  /** Returns the number of the latest run of the database. */
  public int run() {
    return lastRun;
  }

  /** Returns the largest commit timestamp in the files. */
  public long lastTimestamp() {
    return lastTimestamp;
  }

  /** Returns the size of the newest checkpoint in bytes. */
  public long checkpointBytes() {
    return checkpointBytes;
  }

  /** Returns the location for messages. */
  public String location() {
    return disk.location();
  }

  /**
   * Passes the rows of the checkpoint to the visitor, then those of the log, in order. If a row
   * occurs several times, the last one counts. Several threads may do so concurrently, until the
   * log continues.
   */
  @Override
  public void forEachRow(RowVisitor visitor) throws IOException {
    readCheckpoint(visitor);
    readLog(
        end,
        frame -> {
          if (counts(frame)) {
            frame.forEachRow(visitor);
          }
        });
  }

  /** Passes the rows of the checkpoint, if there is one. */
  public void readCheckpoint(RowVisitor visitor) throws IOException {
    if (checkpoint == null) {
      return;
    }
    String name = checkpointName(checkpoint.second());
    try (RowFileReader reader = new RowFileReader(disk, name)) {
      while (reader.next()) {
        reader.show(visitor);
      }
    }
  }

  /** Passes the frames of the log behind the checkpoint, up to a position that is on the disk. */
  public void readLog(long to, Consumer<FrameReader> visitor) throws IOException {
    try (SegmentSource source = new SegmentSource(disk, database, to)) {
      FrameReader reader = new FrameReader(source, start());
      while (reader.position() < to) {
        if (!reader.next()) {
          throw damaged(source.location(reader.position()));
        }
        visitor.accept(reader);
      }
    }
  }

  /** Returns a timestamp that is not below any that was drawn before the checkpoint's position. */
  public long checkpointTimestamp() {
    return checkpoint == null ? 0 : checkpoint.timestamp();
  }

  private boolean counts(FrameReader reader) {
    return counts(reader, logCheckpoints, complete);
  }

  /**
   * Returns true if the rows of a frame are valid.
   *
   * @param complete transactions of several frames that have a COMMIT, by run and number
   */
  public static boolean counts(
      FrameReader reader, LogCheckpoints logCheckpoints, Set<List<Long>> complete) {
    return logCheckpoints.counts(reader)
        && switch (reader.kind()) {
          case RedoLayout.COMMIT, RedoLayout.COPIED_COMMIT -> true;
          case RedoLayout.PART, RedoLayout.COPIED_PART ->
              complete.contains(List.of((long) reader.run(), reader.transaction()));
          default -> false;
        };
  }

  /** Returns the log checkpoints, which nodes of a replicated pool use to compare their logs. */
  public LogCheckpoints logCheckpoints() {
    return logCheckpoints;
  }

  /** Returns the log; commits are not recorded before {@link #start}. */
  public RedoLog log() {
    return log;
  }

  /**
   * Continues the log: from now on commits are recorded.
   *
   * @param now clock from which timestamps are drawn
   * @param whenFailed runs once if the log can no longer be written
   */
  public void start(LongSupplier now, Consumer<Throwable> whenFailed) {
    long unforced = Math.max(lastForced, start());
    try {
      if (!isNew && !wasClosed) {
        disk.forceNames(); // a killed process may have created files without forcing their names
      }
      segments.start(unforced, end, hasTail, lastTimestamp, log::largestBefore);
      segments.rewrite(unforced, end);
      if (forcedFile.read() < 0) {
        forcedFile.write(unforced); // the rewritten part is not forced yet
      }
    } catch (IOException e) {
      throw new PoolOpenException("cannot write the log in " + disk.location() + ": " + e, e);
    }
    log.start(end, unforced, lastRun + 1, lastTimestamp, now, whenFailed);
    lastRun++;
  }

  /**
   * Starts a checkpoint, which replaces the previous one when it is finished.
   *
   * @param position value of {@link RedoLog#checkpointPosition} from before the first row is read
   * @param timestamp timestamp that is not below any that was drawn before the position
   */
  public RowFileWriter newCheckpoint(long position, long timestamp) throws IOException {
    long number = checkpoint == null ? 0 : checkpoint.second() + 1;
    FileHeader header =
        new FileHeader(
            FileHeader.CHECKPOINT,
            database.rowFormat(),
            database.database(),
            position,
            number,
            lastRun,
            timestamp);
    DiskFile file = disk.create(CHECKPOINT + UNFINISHED);
    header.write(file);
    return new RowFileWriter(file, header);
  }

  /**
   * Installs a complete checkpoint, and removes the previous one, and the log before it. All
   * commits that the checkpoint contains are on the disk before it is installed.
   */
  public void finish(RowFileWriter writer) throws IOException {
    finish(writer, 0);
  }

  /**
   * Installs a complete checkpoint, but keeps a part of the log before it.
   *
   * @param keptBytes bytes of the log before it that are kept if they contain a log checkpoint: a
   *     node of a replicated pool may lack the frames behind that log checkpoint
   */
  public void finish(RowFileWriter writer, long keptBytes) throws IOException {
    log.awaitForced(log.end()); // the checkpoint may contain commits that are not on the disk yet
    writer.complete();
    String name = checkpointName(writer.header().second());
    disk.rename(CHECKPOINT + UNFINISHED, name);
    disk.forceNames();
    checkpoint = writer.header();
    checkpointBytes = writer.bytes();
    long kept = logCheckpoints.first(checkpoint.first() - keptBytes, checkpoint.first());
    logCheckpoints.release(kept);
    for (String other : disk.list()) {
      if (checkpointNumber(other) >= 0 && !other.equals(name)) {
        disk.delete(other);
      }
    }
    log.release(kept);
  }

  /** Removes an unfinished checkpoint. */
  public void discardCheckpoint() {
    try {
      if (disk.list().contains(CHECKPOINT + UNFINISHED)) {
        disk.delete(CHECKPOINT + UNFINISHED);
      }
    } catch (IOException e) {
      LOG.debug("cannot remove an incomplete checkpoint yet: {}", e.toString());
    }
  }

  /** Returns the bytes of the log behind the newest checkpoint. */
  public long bytesSinceCheckpoint() {
    return log.end() - start();
  }

  /** Forces all entries, and unlocks the database. */
  @Override
  public void close() {
    close(null, 0);
  }

  /**
   * Forces all entries, keeps the memory of the pool for a fast opening, and unlocks the database.
   *
   * @param memory memory of a cleanly closed pool, a single node; null if it is not to be kept
   * @param nextId id that no store has had
   */
  public void close(Fabric memory, int nextId) {
    try {
      log.close();
      if (log.isClosed()) {
        forcedFile.write(log.end());
        if (memory != null) {
          keep(memory, nextId);
        }
      }
    } finally {
      disk.close();
    }
  }

  /** If nothing was committed in this run, an image that was read is renewed instead. */
  private void keep(Fabric memory, int nextId) {
    if (image != null && log.isUnchanged()) {
      image.renew(log.end(), lastRun, log.closeTimestamp());
      return;
    }
    FileHeader header =
        new FileHeader(
            FileHeader.MEMORY,
            database.rowFormat(),
            database.database(),
            log.end(),
            0,
            lastRun,
            log.closeTimestamp());
    MemoryImage.write(disk, header, memory, nextId);
  }

  /** Unlocks the database without forcing the log; has no effect on a closed database. */
  public void abandon() {
    stop();
    disk.close();
  }

  /** Ends the threads; the disk stays open. */
  public void stop() {
    log.abandon();
  }
}
