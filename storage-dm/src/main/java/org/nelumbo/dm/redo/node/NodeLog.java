package org.nelumbo.dm.redo.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.redo.LogArchive;
import org.nelumbo.dm.redo.NodeIdFile;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.RedoSegments;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.GenerationDisk;
import org.nelumbo.dm.redo.file.LogCheckpoints;
import org.nelumbo.dm.redo.file.PoolNameFile;
import org.nelumbo.dm.redo.file.RowVisitor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log that a memory node keeps of its pool. Compute nodes append to it over connections; their
 * commits are in the log before they are visible to other transactions. Thread-safe.
 *
 * <p>The node chooses the position of a frame, the sender its timestamp. A transaction that has
 * read the writes of another has its position behind it, since those were in the log before they
 * were visible. So each prefix of the log is a state that a transaction could have seen. Of a row,
 * the last frame counts: the next writer of the row has waited for the lock of the previous one,
 * and so for its position in the log.
 */
public final class NodeLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLog.class);

  private static final int PROGRESS_LENGTH_MAX = 200;

  private final Environment environment;
  private final Supplier<DroppedStores> dropped;

  private final Disk archive;

  /** Held while the name is written, or the log is replaced. */
  private final ReentrantLock changing = new ReentrantLock();

  private GenerationDisk incoming;

  private long incomingId;

  private volatile Generation current;

  private volatile DatabaseFiles replaced;

  private volatile String loading;

  private volatile boolean isNamed;
  private volatile Throwable failure;

  /**
   * The files of the log, and the objects that belong to them.
   *
   * @param lastStore largest number of a store that has rows in the files
   */
  public record Generation(
      GenerationDisk disk,
      DatabaseFiles files,
      PoolNameFile nameFile,
      LogCompaction digest,
      CommittedTransactions committed,
      AtomicInteger lastStore) {}

  /**
   * Creates the log of a pool whose files have been read.
   *
   * @param disk disk of the files
   * @param lastStore largest number of a store that has rows in the files
   * @param dropped creates, for each compaction, the visitor that finds dropped tables
   */
  public NodeLog(
      Environment environment,
      DatabaseFiles files,
      GenerationDisk disk,
      int lastStore,
      Supplier<DroppedStores> dropped) {
    this(environment, files, disk, lastStore, dropped, null);
  }

  /**
   * Creates a log with an archive.
   *
   * @param archive directory of the archive, which the log closes; null if there is none
   */
  public NodeLog(
      Environment environment,
      DatabaseFiles files,
      GenerationDisk disk,
      int lastStore,
      Supplier<DroppedStores> dropped,
      Disk archive) {
    this.environment = environment;
    this.dropped = dropped;
    this.archive = archive;
    this.current = generation(files, disk, lastStore);
  }

  /**
   * Checks that an archive contains no other logs.
   *
   * @param disk disk of the log
   * @throws org.nelumbo.dm.pool.PoolOpenException if it does
   */
  public static void checkArchive(Disk archive, Disk disk, long database) throws IOException {
    long node = NodeIdFile.read(disk, database);
    for (GenerationDisk generation : GenerationDisk.all(archive)) {
      for (String name : RedoSegments.names(generation)) {
        LogArchive.check(generation, name, database, node);
      }
    }
  }

  private Generation generation(DatabaseFiles files, GenerationDisk disk, int lastStore) {
    return new Generation(
        disk,
        files,
        new PoolNameFile(disk, files.id()),
        new LogCompaction(environment, files, dropped),
        new CommittedTransactions(),
        new AtomicInteger(lastStore));
  }

  /** Finds the stores of dropped tables; created for each compaction. */
  public interface DroppedStores extends RowVisitor {
    /** Returns the test for dropped stores; called after all rows were visited. */
    IntPredicate isDropped();
  }

  /** Reads the name of the pool whose log is on a disk; empty if the log does not contain it. */
  public static String poolName(Disk disk, long id) throws IOException {
    return new PoolNameFile(disk, id).read();
  }

  /** Returns the name of the pool; empty if it has none, or is not formatted yet. */
  public String poolName() throws IOException {
    return current.nameFile().read();
  }

  /** Starts to record. */
  public void start() throws IOException {
    start(current);
  }

  private void start(Generation generation) throws IOException {
    isNamed = !generation.nameFile().read().isEmpty();
    generation.files().start(() -> 0, why -> failed(generation, why));
    generation.digest().start();
  }

  private void failed(Generation generation, Throwable why) {
    if (replaced == generation.files()) {
      return; // another log has replaced it
    }
    failure = why;
    LOG.error("the log can no longer be written, so no transaction can commit", why);
  }

  /**
   * Returns the progress of a compute node that loads the pool from this log; null if none does.
   */
  public String loading() {
    return loading;
  }

  /** Sets the result of {@link #loading}. */
  void setLoading(String progressOrNull) {
    loading =
        progressOrNull == null
            ? null
            : progressOrNull.substring(0, Math.min(progressOrNull.length(), PROGRESS_LENGTH_MAX));
  }

  /** Returns the id of the pool. */
  public long id() {
    return current.files().id();
  }

  /** Returns the reason why nothing can be recorded; null if it can. */
  public Throwable failure() {
    return failure;
  }

  /** Returns true if the name of the pool is known. */
  public boolean hasName() {
    return isNamed;
  }

  /** Stores the name of the pool; ignores an empty name. */
  public void setName(String name) throws IOException {
    changing.lock();
    try {
      if (!isNamed && !name.isEmpty()) {
        current.nameFile().write(name);
        isNamed = true;
      }
    } finally {
      changing.unlock();
    }
  }

  /** Returns a receiver for the frames of one connection. */
  public RedoReceiver receiver() {
    return new RedoReceiver(this);
  }

  /**
   * Returns the timestamp of the last transaction of a coordinator that has stopped sending, if the
   * log contains it; else 0. The transaction is on the disk.
   *
   * @throws RedoFailedException if the log cannot be forced
   */
  public long committed(long transaction) {
    Generation now = current;
    now.files().log().awaitForced(now.files().log().end());
    return now.committed().timestampOf(TransactionId.coordinator(transaction), transaction);
  }

  /** Returns the largest number of a store that has had rows in the log. */
  public int lastStore() {
    return current.lastStore().get();
  }

  /** Forgets the transactions that {@link #committed} reports. */
  public void forgetCommitted() {
    current.committed().forget();
  }

  Generation current() {
    return current;
  }

  /**
   * Returns the state of the log for a copy; the log is on the disk up to the returned end.
   *
   * @param isHeld true to keep the files unchanged until the hold on its digest is released
   */
  LogState state(boolean isHeld) throws IOException {
    Generation now = current;
    boolean isReady = now.files().log().isRecording(); // its end is unknown before
    if (isHeld && !(isReady && now.digest().hold())) {
      return new LogState(now.files().id(), -1, 0, 0, 0, List.of(), List.of());
    }
    boolean isDone = false;
    try {
      long end = now.files().log().end();
      now.files().log().awaitForced(end);
      List<LogState.File> found = new ArrayList<>();
      for (String name : isHeld ? now.files().names(end) : List.<String>of()) {
        found.add(file(now, name));
      }
      if (isHeld && !now.nameFile().read().isEmpty()) {
        found.add(file(now, PoolNameFile.NAME));
      }
      isDone = true;
      return new LogState(
          now.files().id(),
          end,
          now.files().start(),
          now.files().capacity(),
          now.lastStore().get(),
          now.committed().all(),
          found);
    } finally {
      if (isHeld && !isDone) {
        now.digest().letGo();
      }
    }
  }

  private static LogState.File file(Generation now, String name) throws IOException {
    try (DiskFile file = now.disk().open(name)) {
      return new LogState.File(name, file.size());
    }
  }

  /**
   * Returns the id of the pool, and the ids of the last log checkpoints behind which all frames can
   * be replaced.
   */
  byte[] logCheckpoints() {
    Generation now = current;
    List<Long> ids =
        now.files().logCheckpoints().newest(LogDifference.MARKS_MAX, now.files().start());
    ByteBuffer reply = ByteBuffer.allocate((1 + ids.size()) * Long.BYTES);
    reply.putLong(now.files().id());
    ids.forEach(reply::putLong);
    return reply.array();
  }

  /**
   * Searches for the first of some log checkpoints that this log contains; the files are held.
   * Returns its id, the position behind it, and the parts that were replaced behind it (their
   * number, and three positions each); a 0 if there is none.
   */
  byte[] find(byte[] ids) {
    LogCheckpoints logCheckpoints = current.files().logCheckpoints();
    for (ByteBuffer left = ByteBuffer.wrap(ids); left.remaining() >= Long.BYTES; ) {
      long id = left.getLong();
      long position = logCheckpoints.behind(id);
      if (position >= 0) {
        List<LogCheckpoints.Replaced> replaced = logCheckpoints.replacedBehind(position);
        ByteBuffer reply = ByteBuffer.allocate((3 + 3 * replaced.size()) * Long.BYTES);
        reply.putLong(id).putLong(position).putLong(replaced.size());
        replaced.forEach(
            each -> reply.putLong(each.from()).putLong(each.copy()).putLong(each.end()));
        return reply.array();
      }
    }
    return new byte[Long.BYTES];
  }

  /** Reads a range of a file. */
  byte[] read(String name, long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.clamp(length, 0, LogRequest.PIECE_BYTES));
    try (DiskFile file = current.disk().open(name)) {
      file.read(bytes, offset);
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /**
   * Starts to receive the log of another node.
   *
   * @param id id of its pool
   * @throws IllegalArgumentException if this log has rows of another pool
   */
  void beginCopy(long id) throws IOException {
    changing.lock();
    try {
      if (id != current.files().id() && current.lastStore().get() > 0) {
        throw new IllegalArgumentException(
            "its log belongs to another pool: start it with another directory (--data)");
      }
      incoming = current.disk().next();
      incomingId = id;
    } finally {
      changing.unlock();
    }
  }

  /** Writes a range of a file of that log; it is on the disk when this returns. */
  void write(String name, long offset, byte[] bytes) throws IOException {
    changing.lock();
    try {
      GenerationDisk disk = incoming();
      boolean isThere = disk.list().contains(name);
      try (DiskFile file = isThere ? disk.open(name) : disk.create(name)) {
        file.write(ByteBuffer.wrap(bytes), offset);
        file.force();
      }
    } finally {
      changing.unlock();
    }
  }

  private GenerationDisk incoming() {
    if (incoming == null) {
      throw new IllegalArgumentException("no log copy is in progress");
    }
    return incoming;
  }

  /**
   * Replaces this log by the received one. No compute node appends to either meanwhile.
   *
   * @param lastStore largest number of a store that has had rows in it
   * @param committed last transactions of coordinators
   */
  void finishCopy(int lastStore, List<LogState.Committed> committed) throws IOException {
    changing.lock();
    try {
      GenerationDisk disk = incoming();
      Generation before = current;
      RedoOptions options = before.files().options();
      if (archive != null) {
        long node = NodeIdFile.read(before.disk(), before.files().id());
        NodeIdFile.write(disk, incomingId, node);
        options = options.withNodeArchive(() -> disk.in(archive));
      }
      disk.forceNames();
      disk.rename(DatabaseFiles.UNFINISHED_DATABASE, DatabaseFiles.DATABASE);
      disk.forceNames();
      DatabaseFiles files =
          DatabaseFiles.open(
              environment, disk, options, before.files().rowFormat(), PoolExpectation.ANY);
      Generation next = generation(files, disk, lastStore);
      next.committed().setAll(committed);
      incoming = null;
      before.digest().close();
      before.files().abandon();
      startInPlaceOf(before, next);
      disk.removeOthers();
    } finally {
      changing.unlock();
    }
  }

  private void startInPlaceOf(Generation before, Generation next) throws IOException {
    replaced = before.files();
    try {
      start(next);
      current = next;
    } catch (IOException | RuntimeException e) {
      failed(next, e);
      throw e;
    }
  }

  /** Returns the bytes of the log behind the newest checkpoint. */
  public long bytes() {
    return current.files().bytesSinceCheckpoint();
  }

  public long checkpointBytes() {
    return current.files().checkpointBytes();
  }

  /** Returns lines of {@code key=value}. */
  public String status() {
    return "log="
        + (failure == null ? "writing" : "failed")
        + "\nlog_bytes="
        + bytes()
        + "\ncheckpoint_bytes="
        + checkpointBytes()
        + "\n";
  }

  /** Writes a checkpoint; returns true if it is complete. */
  public boolean digest() {
    return current.digest().write();
  }

  /** Unlocks the files without forcing the log; for a log that was not started. */
  public void abandon() {
    current.files().abandon();
    closeDirectories();
  }

  private void closeDirectories() {
    current.disk().closeDirectory();
    if (archive != null) {
      archive.close();
    }
  }

  /** Forces all entries, and unlocks the files. All senders have stopped before. */
  @Override
  public void close() {
    try {
      current.digest().close();
    } finally {
      try {
        current.files().close();
      } catch (RedoFailedException e) {
        LOG.warn("the log was not closed cleanly: {}", e.getMessage());
      }
      closeDirectories();
    }
  }
}
