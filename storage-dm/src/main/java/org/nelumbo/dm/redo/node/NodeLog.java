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
import org.nelumbo.dm.redo.file.LogMarks;
import org.nelumbo.dm.redo.file.PoolNameFile;
import org.nelumbo.dm.redo.file.RowVisitor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log that a memory node keeps of its pool: compute nodes append to it, each over a connection,
 * and have what they commit in it before anybody sees that. Thread-safe.
 *
 * <p>A place is chosen here, the timestamp by the sender. Who reads what a transaction has written
 * has its place behind it, since that was in the log before; so each prefix of the log is a state
 * that somebody could have seen. Of a row, the last frame counts: who writes it next has waited for
 * the lock of who had it before, and so for the place.
 */
public final class NodeLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLog.class);

  private static final int PROGRESS_LENGTH_MAX = 200;

  private final Environment environment;
  private final Supplier<DroppedStores> dropped;

  /** Where full segments go; null if they go nowhere. */
  private final Disk archive;

  /** Held while the name is written, or the log of another node is taken. */
  private final ReentrantLock changing = new ReentrantLock();

  /** Files that are being copied from another node; null if none are. */
  private GenerationDisk incoming;

  /** Of the pool that they are of. */
  private long incomingId;

  private volatile Generation current;

  /** Whose place others have taken last; null if none have. */
  private volatile DatabaseFiles replaced;

  /**
   * How far a compute node has loaded the pool from this log, for people; null if none is at it.
   */
  private volatile String loading;

  private volatile boolean isNamed;
  private volatile Throwable failure;

  /**
   * The files of the log, and what belongs to them.
   *
   * @param lastStore the largest number of a store that has rows in the files
   */
  public record Generation(
      GenerationDisk disk,
      DatabaseFiles files,
      PoolNameFile nameFile,
      Digest digest,
      CommittedTransactions committed,
      AtomicInteger lastStore) {}

  /**
   * The log of a pool whose files have been read.
   *
   * @param disk of the files
   * @param lastStore largest number of a store that has rows in the files
   * @param dropped makes, for each digest, what it has to know to leave out dropped tables
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
   * The log likewise.
   *
   * @param archive directory in which the files have their archive; the log closes it. Null if they
   *     have none
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
   * Checks that an archive has nothing of other logs.
   *
   * @param disk of the log, which has its archive there
   * @throws org.nelumbo.dm.pool.PoolOpenException if it has
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
        new Digest(environment, files, dropped),
        new CommittedTransactions(),
        new AtomicInteger(lastStore));
  }

  /** What a digest has to know of tables; made anew for each. */
  public interface DroppedStores extends RowVisitor {
    /** After all rows were shown: whether a store's rows are of no use any more. */
    IntPredicate isDropped();
  }

  /** What the pool is called whose log is on a disk; empty if the log does not say it. */
  public static String poolName(Disk disk, long id) throws IOException {
    return new PoolNameFile(disk, id).read();
  }

  /** What the pool is called; empty if it has no name, or is not made yet. */
  public String poolName() throws IOException {
    return current.nameFile().read();
  }

  /** Begins to record. */
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
      return; // another one has taken its place
    }
    failure = why;
    LOG.error("the log cannot be written any more, nothing is committed from now on", why);
  }

  /**
   * How far a compute node has loaded the pool from this log, for people; null if none is at it.
   */
  public String loading() {
    return loading;
  }

  /** Takes what {@link #loading} says. */
  void setLoading(String progressOrNull) {
    loading =
        progressOrNull == null
            ? null
            : progressOrNull.substring(0, Math.min(progressOrNull.length(), PROGRESS_LENGTH_MAX));
  }

  /** Id of the pool. */
  public long id() {
    return current.files().id();
  }

  /** Why nothing can be recorded any more; null if it can. */
  public Throwable failure() {
    return failure;
  }

  /** Whether it is known what the pool is called. */
  public boolean hasName() {
    return isNamed;
  }

  /** Keeps what the pool is called; nothing if it has no name, or is being made. */
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

  /** Takes what a compute node sends over a connection. */
  public RedoReceiver receiver() {
    return new RedoReceiver(this);
  }

  /**
   * Timestamp of the last transaction of a coordinator that sends nothing any more, if the log has
   * it; else 0. What is said is on the disk.
   *
   * @throws RedoFailedException if that cannot be
   */
  public long committed(long transaction) {
    Generation now = current;
    now.files().log().awaitForced(now.files().log().end());
    return now.committed().timestampOf(TransactionId.coordinator(transaction), transaction);
  }

  /** The largest number of a store that has had rows here. */
  public int lastStore() {
    return current.lastStore().get();
  }

  /** Forgets what {@link #committed} tells. */
  public void forgetCommitted() {
    current.committed().forget();
  }

  Generation current() {
    return current;
  }

  /**
   * What is to be known to copy the log, as it is on the disk now.
   *
   * @param isHeld whether the files stay as they are from now on, until its digest is let go
   */
  LogState state(boolean isHeld) throws IOException {
    Generation now = current;
    boolean isReady = now.files().log().isRecording(); // else where it ends is not known yet
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

  /** Id of the pool, and of the last marks behind which everything can be replaced. */
  byte[] marks() {
    Generation now = current;
    List<Long> ids = now.files().marks().newest(LogDifference.MARKS_MAX, now.files().start());
    ByteBuffer answer = ByteBuffer.allocate((1 + ids.size()) * Long.BYTES);
    answer.putLong(now.files().id());
    ids.forEach(answer::putLong);
    return answer.array();
  }

  /**
   * Looks for the first of some marks that is here, whose files stay as they are: answers with its
   * id, the position behind it, and what was replaced behind that (how often, and three positions
   * each). With a 0 if none is here.
   */
  byte[] find(byte[] ids) {
    LogMarks marks = current.files().marks();
    for (ByteBuffer left = ByteBuffer.wrap(ids); left.remaining() >= Long.BYTES; ) {
      long id = left.getLong();
      long position = marks.behind(id);
      if (position >= 0) {
        List<LogMarks.Replaced> replaced = marks.replacedBehind(position);
        ByteBuffer answer = ByteBuffer.allocate((3 + 3 * replaced.size()) * Long.BYTES);
        answer.putLong(id).putLong(position).putLong(replaced.size());
        replaced.forEach(
            each -> answer.putLong(each.from()).putLong(each.copy()).putLong(each.end()));
        return answer.array();
      }
    }
    return new byte[Long.BYTES];
  }

  /** Reads a part of a file. */
  byte[] read(String name, long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.clamp(length, 0, LogRequest.PIECE_BYTES));
    try (DiskFile file = current.disk().open(name)) {
      file.read(bytes, offset);
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /**
   * Begins to take the log of another node.
   *
   * @param id of its pool
   * @throws IllegalArgumentException if this one has rows of another pool
   */
  void beginCopy(long id) throws IOException {
    changing.lock();
    try {
      if (id != current.files().id() && current.lastStore().get() > 0) {
        throw new IllegalArgumentException(
            "its log is that of another pool: start it with another directory (--data)");
      }
      incoming = current.disk().next();
      incomingId = id;
    } finally {
      changing.unlock();
    }
  }

  /** Takes a part of a file of that log; it is on the disk when this returns. */
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
      throw new IllegalArgumentException("no log is being copied here");
    }
    return incoming;
  }

  /**
   * The log that was copied takes the place of the own one. Nobody appends to either meanwhile.
   *
   * @param lastStore largest number of a store that has had rows in it
   * @param committed the last transactions of coordinators
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

  /** Nobody finds the next log before it can be appended to. */
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

  /** Bytes of the log behind the newest checkpoint. */
  public long bytes() {
    return current.files().bytesSinceCheckpoint();
  }

  public long checkpointBytes() {
    return current.files().checkpointBytes();
  }

  /** Lines of {@code key=value}. */
  public String status() {
    return "log="
        + (failure == null ? "writing" : "failed")
        + "\nlog_bytes="
        + bytes()
        + "\ncheckpoint_bytes="
        + checkpointBytes()
        + "\n";
  }

  /** Writes a checkpoint now; whether it came to its end. */
  public boolean digest() {
    return current.digest().write();
  }

  /** Lets somebody else have the files, as they are; for a log that was not started. */
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

  /** Forces everything, and lets somebody else have the files; nobody sends anything any more. */
  @Override
  public void close() {
    try {
      current.digest().close();
    } finally {
      try {
        current.files().close();
      } catch (RedoFailedException e) {
        LOG.warn("the log was not ended in order: {}", e.getMessage());
      }
      closeDirectories();
    }
  }
}
