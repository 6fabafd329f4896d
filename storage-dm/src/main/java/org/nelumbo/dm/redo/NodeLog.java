package org.nelumbo.dm.redo;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.TransactionId;
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

  private final DatabaseFiles files;
  private final Disk disk;
  private final PoolNameFile nameFile;
  private final Digest digest;
  private final CommittedTransactions committed = new CommittedTransactions();

  /** The largest number of a store that has rows in the files. */
  private final AtomicInteger lastStore;

  /** Held while the name is written. */
  private final ReentrantLock naming = new ReentrantLock();

  private volatile boolean isNamed;
  private volatile Throwable failure;

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
      Disk disk,
      int lastStore,
      Supplier<DroppedStores> dropped) {
    this.lastStore = new AtomicInteger(lastStore);
    this.files = files;
    this.disk = disk;
    this.nameFile = new PoolNameFile(disk, files.id());
    this.digest = new Digest(environment, files, dropped);
  }

  /** What a digest has to know of tables; made anew for each. */
  public interface DroppedStores extends RowVisitor {
    /** After all rows were shown: whether a store's rows are of no use any more. */
    IntPredicate isDropped();
  }

  /** What the pool is called; empty if it has no name, or is not made yet. */
  public String poolName() throws IOException {
    return nameFile.read();
  }

  /** Begins to record. */
  public void start() throws IOException {
    isNamed = !nameFile.read().isEmpty();
    files.start(() -> 0, this::failed);
    digest.start();
  }

  private void failed(Throwable why) {
    failure = why;
    LOG.error("the log cannot be written any more, nothing is committed from now on", why);
  }

  /** Id of the pool. */
  public long id() {
    return files.id();
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
    naming.lock();
    try {
      if (!isNamed && !name.isEmpty()) {
        nameFile.write(name);
        isNamed = true;
      }
    } finally {
      naming.unlock();
    }
  }

  /** Takes what a compute node sends over a connection. */
  public RedoReceiver receiver() {
    return new RedoReceiver(files.log(), committed, lastStore);
  }

  /**
   * Timestamp of the last transaction of a coordinator that sends nothing any more, if the log has
   * it; else 0. What is said is on the disk.
   *
   * @throws RedoFailedException if that cannot be
   */
  public long committed(long transaction) {
    files.log().awaitForced(files.log().end());
    return committed.timestampOf(TransactionId.coordinator(transaction), transaction);
  }

  /** The largest number of a store that has had rows here. */
  public int lastStore() {
    return lastStore.get();
  }

  /** Forgets what {@link #committed} tells. */
  public void forgetCommitted() {
    committed.forget();
  }

  /** Lines of {@code key=value}. */
  public String status() {
    return "log="
        + (failure == null ? "writing" : "failed")
        + "\nlog_bytes="
        + files.bytesSinceCheckpoint()
        + "\ncheckpoint_bytes="
        + files.checkpointBytes()
        + "\n";
  }

  /** Writes a checkpoint now; whether it came to its end. */
  public boolean digest() {
    return digest.write();
  }

  /** Lets somebody else have the files, as they are; for a log that was not started. */
  public void abandon() {
    files.abandon();
  }

  /** Forces everything, and lets somebody else have the files; nobody sends anything any more. */
  @Override
  public void close() {
    try {
      digest.close();
    } finally {
      try {
        files.close();
      } catch (RedoFailedException e) {
        LOG.warn("the log was not ended in order: {}", e.getMessage());
      }
      disk.close();
    }
  }
}
