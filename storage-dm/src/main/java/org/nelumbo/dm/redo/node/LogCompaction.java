package org.nelumbo.dm.redo.node;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.FrameReader;
import org.nelumbo.dm.redo.file.RowFileWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts the log of a memory node (ROWAN's digest): writes checkpoints from files alone, the
 * previous checkpoint and the log since then. So a memory node can do it, which does not interpret
 * tables and transactions. Appends continue meanwhile.
 *
 * <p>The newest image of each key in the log is kept in memory, while the rows of the previous
 * checkpoint without such an image are copied. If these images are too many, keys are processed in
 * parts, and the files are read as often. A deleted row is omitted, together with all its earlier
 * images.
 */
final class LogCompaction implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogCompaction.class);

  /** Minimum size of the log: a shorter one is replayed faster than a checkpoint is written. */
  private static final long LEAST_BYTES = 64L << 20;

  /** Bytes of the log whose newest images are in memory at a time. */
  static final long PART_BYTES = 64L << 20;

  private static final int KEPT_SEGMENTS = 4;

  /**
   * Alternative bound of the kept part: the checkpoint's size divided by this, if that is larger.
   */
  private static final int KEPT_SHARE = 4;

  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final long RETRY_NANOS = 60_000_000_000L;

  private final Environment environment;
  private final DatabaseFiles files;
  private final Supplier<NodeLog.DroppedStores> dropped;
  private final long partBytes;
  private final BackgroundThread thread;

  /** Held while a checkpoint is written. */
  private final ReentrantLock writing = new ReentrantLock();

  /** Number of holders that keep the files unchanged; guarded by the lock. */
  private int holders;

  // State of the checkpoint that is being written.

  /** Transactions of several frames that have a COMMIT, by run and number. */
  private final Set<List<Long>> complete = new HashSet<>();

  private long timestamp;
  private long rowBytes;

  LogCompaction(
      Environment environment, DatabaseFiles files, Supplier<NodeLog.DroppedStores> dropped) {
    this(environment, files, dropped, PART_BYTES);
  }

  LogCompaction(
      Environment environment,
      DatabaseFiles files,
      Supplier<NodeLog.DroppedStores> dropped,
      long partBytes) {
    this.environment = environment;
    this.files = files;
    this.dropped = dropped;
    this.partBytes = partBytes;
    this.thread = new BackgroundThread(environment, "nelumbo-digest", this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!thread.isStopped()) {
      long pause = PERIOD_NANOS;
      if (files.bytesSinceCheckpoint() > Math.max(LEAST_BYTES, files.checkpointBytes())) {
        pause = write() ? PERIOD_NANOS : RETRY_NANOS;
      }
      environment.parkNanos(pause);
    }
  }

  /**
   * Writes a checkpoint; returns true if it is complete, otherwise the log is unchanged. Does
   * nothing before the log continues, because its end is unknown until then.
   */
  boolean write() {
    writing.lock();
    try {
      return holders == 0 && files.log().isRecording() && writeLocked();
    } catch (RedoFailedException e) {
      LOG.debug("no checkpoint was written: {}", e.getMessage()); // reported elsewhere
      return false;
    } catch (IOException | DamagedFilesException e) {
      LOG.warn("no checkpoint was written, the log keeps growing: {}", e.toString());
      return false;
    } finally {
      complete.clear();
      files.discardCheckpoint();
      writing.unlock();
    }
  }

  /**
   * Keeps the files unchanged until {@link #letGo}; returns false if a checkpoint is being written.
   */
  boolean hold() {
    if (!writing.tryLock()) {
      return false;
    }
    try {
      holders++;
      return true;
    } finally {
      writing.unlock();
    }
  }

  void letGo() {
    writing.lock();
    try {
      holders--;
    } finally {
      writing.unlock();
    }
  }

  /**
   * Frames behind the last log checkpoint are replaced if this node has to adopt the log of another
   * node.
   */
  private boolean writeLocked() throws IOException {
    long last = files.logCheckpoints().last();
    if (last >= 0 && last <= files.start()) {
      return false; // there is nothing new that is known to stay
    }
    long position = files.log().checkpointPosition();
    long end = last < 0 ? position : Math.min(position, last);
    files.log().awaitForced(end);
    IntPredicate isDropped = look(end);
    try (RowFileWriter writer = files.newCheckpoint(end, timestamp)) {
      int parts = (int) (rowBytes / partBytes) + 1;
      for (int part = 0; part < parts && !thread.isStopped(); part++) {
        copy(new Part(part, parts, isDropped), end, writer);
      }
      if (thread.isStopped()) {
        return false;
      }
      files.finish(writer, keptBytes());
      LOG.debug("checkpoint of {} rows, {} bytes", writer.rows(), writer.bytes());
      return true;
    }
  }

  /**
   * For a node that was absent when the checkpoint was written. Copying more than that would take
   * about as long as copying the whole log.
   */
  private long keptBytes() {
    long least = (long) KEPT_SEGMENTS * files.options().segmentBytes();
    return Math.max(least, files.checkpointBytes() / KEPT_SHARE);
  }

  private IntPredicate look(long end) throws IOException {
    NodeLog.DroppedStores stores = dropped.get();
    timestamp = files.checkpointTimestamp();
    rowBytes = 0;
    files.readLog(
        end,
        frame -> {
          timestamp = Math.max(timestamp, frame.timestamp());
          if (RedoLayout.isCommit(frame.kind()) && frame.transaction() != 0) {
            complete.add(List.of((long) frame.run(), frame.transaction()));
          }
        });
    files.readCheckpoint(stores);
    files.readLog(
        end,
        frame -> {
          if (counts(frame)) {
            rowBytes += frame.length();
            frame.forEachRow(stores);
          }
        });
    return stores.isDropped();
  }

  private boolean counts(FrameReader frame) {
    return DatabaseFiles.counts(frame, files.logCheckpoints(), complete);
  }

  private record Part(int number, int parts, IntPredicate isDropped) {
    boolean has(Key key) {
      return !isDropped.test(key.store) && Math.floorMod(key.hashCode() >>> 8, parts) == number;
    }
  }

  private static final class Key {
    private final int store;
    private final byte[] bytes;

    Key(int store, byte[] source, int offset, int length) {
      this.store = store;
      this.bytes = Arrays.copyOfRange(source, offset, offset + length);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && store == key.store && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      int hash = (31 * store + Arrays.hashCode(bytes)) * 0x9E3779B9;
      return hash ^ hash >>> 16;
    }
  }

  private static final byte[] DELETED = {};

  private void copy(Part part, long end, RowFileWriter writer) throws IOException {
    Map<Key, byte[]> newest = new HashMap<>();
    files.readLog(
        end,
        frame -> {
          if (counts(frame)) {
            frame.forEachRow(
                (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
                  Key key = new Key(store, bytes, offset, keyLength);
                  if (part.has(key)) {
                    newest.put(
                        key,
                        isDeleted
                            ? DELETED
                            : Arrays.copyOfRange(bytes, offset, offset + imageLength));
                  }
                });
          }
        });
    Output output = new Output(writer);
    files.readCheckpoint(
        (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
          Key key = new Key(store, bytes, offset, keyLength);
          if (part.has(key) && !newest.containsKey(key)) {
            output.add(store, bytes, offset, keyLength, imageLength);
          }
        });
    newest.forEach(
        (key, image) -> {
          if (image != DELETED) {
            output.add(key.store, image, 0, key.bytes.length, image.length);
          }
        });
    output.check();
  }

  /** Writes rows; an error is thrown at the end. */
  private static final class Output {
    private final RowFileWriter writer;
    private IOException failure;

    Output(RowFileWriter writer) {
      this.writer = writer;
    }

    void add(int store, byte[] source, int offset, int keyLength, int imageLength) {
      if (failure == null) {
        try {
          writer.add(store, source, offset, keyLength, imageLength);
        } catch (IOException e) {
          failure = e;
        }
      }
    }

    void check() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }
  }

  @Override
  public void close() {
    thread.stop();
    thread.join();
  }
}
