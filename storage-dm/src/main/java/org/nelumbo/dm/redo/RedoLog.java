package org.nelumbo.dm.redo;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;

/**
 * The log of an open database: many threads append, one thread writes and forces. Thread-safe.
 *
 * <p>An entry gets its position and its commit timestamp under a lock, so positions are in the
 * order of timestamps. Then it is copied to its range of a buffer, in parallel with others. The
 * writer takes the entries that were appended during the previous force, once all of them are
 * copied (group commit). The slower the device, the more commits share a force. If no thread waits
 * for the new entries, the writer leaves them for an interval.
 *
 * <p>After the first failed write or force, nothing is written: the state of that group on the
 * device is unknown, and a second force would falsely report that all of it is there.
 */
public final class RedoLog implements AutoCloseable {
  private static final long PARK_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final String location;
  private final RedoOptions options;
  private final RedoSegments segments;
  private final BackgroundThread writer;

  /** Guards the fields below, up to the volatile ones, which are written under it. */
  private final ReentrantLock lock = new ReentrantLock();

  private RedoBuffer filling;
  private RedoBuffer spare;

  /** Position of the first byte in the filling buffer. */
  private long fillingFrom;

  /** True while the writer is parked until the next append. */
  private boolean isWriterIdle;

  /**
   * True while the writer is parked until the interval ends, or an append that a thread waits for.
   */
  private boolean isWriterPausing;

  /** Start positions of transactions of several frames without a COMMIT, by number. */
  private final Map<Long, Long> parts = new HashMap<>();

  private long lastTransaction;

  private long largestTimestamp;

  private Thread[] waiters = new Thread[16];
  private long[] waitersEnds = new long[16];
  private int waitersCount;

  /** Position behind all reserved entries. Raised before the timestamp is drawn. */
  private volatile long reserved;

  private volatile long forced;

  /**
   * End of the last group that was taken to be forced: it is on the disk before the filling buffer
   * is written.
   */
  private long forcedBefore;

  /** All transactions with a timestamp up to this one are on the disk. */
  private volatile long moment;

  /** Position up to which a thread waits for a force. */
  private volatile long wanted;

  /** Position to be forced when the interval ends. */
  private long wantedSoon;

  /**
   * True if commits that are not on the disk may have been acknowledged. Set before the first of
   * them has a timestamp; cleared when all entries are on the disk.
   */
  private volatile boolean isAhead;

  private volatile boolean recording;

  private volatile boolean isClosed;

  private volatile boolean closing;
  private volatile Throwable failure;

  private int run;

  /** Position behind the frame that begins the run. */
  private long begun;

  private boolean isUnchanged;
  private long closeTimestamp;
  private LongSupplier clock;
  private Consumer<Throwable> onFailure;

  public RedoLog(Environment environment, Disk disk, RedoOptions options, RedoSegments segments) {
    this.environment = environment;
    this.location = disk.location();
    this.options = options;
    this.segments = segments;
    this.writer =
        new BackgroundThread(
            environment,
            "nelumbo-redo",
            this::run,
            why -> {
              fail(why);
              return false;
            });
  }

  /**
   * Continues at a position, in a run with a new number.
   *
   * @param position end of the log
   * @param forcedUntil position up to which the log is known to be on the disk. Rewritten entries
   *     behind it may be lost although the later BEGIN is not, so BEGIN must not claim that they
   *     were forced
   * @param itsRun number of the run
   * @param timestamp largest timestamp in the log
   * @param now clock from which timestamps are drawn
   * @param whenFailed runs once, on the failing thread, if the log can no longer be written
   */
  public void start(
      long position,
      long forcedUntil,
      int itsRun,
      long timestamp,
      LongSupplier now,
      Consumer<Throwable> whenFailed) {
    filling = new RedoBuffer(options.bufferBytes());
    spare = new RedoBuffer(options.bufferBytes());
    fillingFrom = position;
    reserved = position;
    forced = forcedUntil;
    forcedBefore = forcedUntil;
    run = itsRun;
    largestTimestamp = timestamp;
    clock = now;
    onFailure = whenFailed;
    writer.start();
    begun = mark(RedoLayout.BEGIN).end(); // on the disk before all else of this run
    recording = true;
  }

  private RedoEntry mark(int kind) {
    RedoEntry entry = new RedoEntry();
    entry.begin();
    entry.seal(kind);
    append(entry, Durability.COMMIT, clock);
    awaitForced(entry.end());
    return entry;
  }

  /** Returns true if commits are logged; false while the log is being replayed. */
  public boolean isRecording() {
    return recording;
  }

  /** Returns the default durability level of commits. */
  public Durability durability() {
    return options.durability();
  }

  /**
   * Appends a transaction's rows, or the last of them.
   *
   * @param durability COMMIT if a thread is going to wait until the entry is on the disk
   * @param draw draws the commit timestamp
   * @return the timestamp
   * @throws RedoFailedException if the log can no longer be written; then nothing was appended
   */
  public long commit(RedoEntry entry, Durability durability, LongSupplier draw) {
    entry.seal(RedoLayout.COMMIT);
    return append(entry, durability, draw);
  }

  /** Appends rows of a transaction that has more; they become valid with its commit. */
  public void part(RedoEntry entry, Durability durability) {
    entry.seal(RedoLayout.PART);
    append(entry, durability, () -> 0);
    entry.clearRows();
  }

  /** Discards a transaction that has rows in the log. */
  public void forget(RedoEntry entry) {
    if (entry.transaction() != 0) {
      lock.lock();
      try {
        parts.remove(entry.transaction());
      } finally {
        lock.unlock();
      }
      entry.setTransaction(0);
    }
  }

  /** Returns true if a transaction has rows in the log, but no end. */
  public boolean hasParts() {
    lock.lock();
    try {
      return !parts.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends a sealed frame.
   *
   * @param draw draws the timestamp
   * @return the timestamp
   */
  public long append(RedoEntry entry, Durability durability, LongSupplier draw) {
    for (int attempt = 0; ; attempt++) {
      RedoBuffer buffer = null;
      long timestamp = 0;
      long forcedNow = 0;
      int offset = 0;
      lock.lock();
      try {
        offset = (int) (reserved - fillingFrom);
        if (failure == null && filling.capacity() - offset >= entry.paddedLength()) {
          buffer = filling;
          forcedNow = forcedWhenWritten();
          timestamp = reserve(entry, durability, draw);
        }
      } finally {
        lock.unlock();
      }
      if (buffer != null) {
        fill(buffer, offset, entry, timestamp, forcedNow);
        return timestamp;
      }
      checkNotFailed();
      writer.wake();
      environment.backoff(attempt);
    }
  }

  private long forcedWhenWritten() {
    return forcedBefore;
  }

  private long reserve(RedoEntry entry, Durability durability, LongSupplier draw) {
    try {
      int length = entry.paddedLength();
      long position = reserved;
      if (forced == position) {
        isAhead = false; // first: a reader that saw it set has read the clock before
        moment = clock.getAsLong(); // the moment of the last group may be long ago
      }
      boolean isPart = RedoLayout.isPart(RedoLayout.kind(entry.bytes()));
      want(durability, position + length, isPart);
      if (isPart && entry.transaction() == 0) {
        entry.setTransaction(++lastTransaction);
        parts.put(lastTransaction, position);
      } else if (!isPart && entry.transaction() != 0) {
        parts.remove(entry.transaction());
      }
      entry.setPosition(position);
      reserved = position + length; // before the timestamp is drawn: see isSettled
      long timestamp = draw.getAsLong();
      largestTimestamp = Math.max(largestTimestamp, timestamp);
      wakeIdleWriter();
      return timestamp;
    } catch (RuntimeException | Error e) {
      fail(e); // the buffer may have a gap
      throw e;
    }
  }

  /** The writer waits for the range to be filled. */
  private void fill(
      RedoBuffer buffer, int offset, RedoEntry entry, long timestamp, long forcedThen) {
    try {
      entry.place(run, timestamp, forcedThen);
      buffer.fill(offset, entry.bytes(), entry.paddedLength());
      if (!RedoLayout.isPart(RedoLayout.kind(entry.bytes()))) {
        entry.setTransaction(0);
      }
    } catch (RuntimeException | Error e) {
      fail(e); // the buffer has a gap
      throw e;
    }
  }

  /** Called before the entry is visible to other threads. */
  private void want(Durability durability, long end, boolean isPart) {
    switch (durability) {
      case COMMIT -> wanted = end;
      case INTERVAL -> wantedSoon = end;
      case NONE -> {}
    }
    isAhead |= !isPart && durability != Durability.COMMIT;
  }

  private void wakeIdleWriter() {
    if (isWriterIdle || (isWriterPausing && wanted > forced)) {
      isWriterIdle = false;
      isWriterPausing = false;
      writer.wake();
    }
  }

  private void checkNotFailed() {
    Throwable why = failure;
    if (why != null) {
      throw new RedoFailedException(location, why);
    }
  }

  /** Returns the position behind all reserved entries. */
  public long end() {
    return reserved;
  }

  /** Returns the position up to which the log is on the disk. */
  public long forced() {
    return forced;
  }

  /**
   * Waits until the log is on the disk up to a position.
   *
   * @throws RedoFailedException if the log has failed; the entries may be on the disk nevertheless
   */
  public void awaitForced(long position) {
    if (forced >= position) {
      return;
    }
    lock.lock();
    try {
      if (waitersCount == waiters.length) {
        waitersEnds = Arrays.copyOf(waitersEnds, 2 * waitersCount);
        waiters = Arrays.copyOf(waiters, 2 * waitersCount);
      }
      waiters[waitersCount] = Thread.currentThread();
      waitersEnds[waitersCount++] = position;
      wanted = Math.max(wanted, position);
      wakeIdleWriter();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (forced < position) {
      checkNotFailed();
      environment.parkNanos(PARK_NANOS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns true if all visible commits are on the disk. A reader that has read the clock before
   * may then see all commits up to that timestamp.
   */
  public boolean isSettled() {
    long end = reserved;
    return forced >= end;
  }

  /**
   * Returns true if commits that are not on the disk may have been acknowledged. Then a new reader
   * has to see all visible commits.
   */
  public boolean isAhead() {
    return isAhead;
  }

  /** Returns a timestamp up to which all transactions are on the disk. */
  public long moment() {
    return moment;
  }

  /** Waits until new readers see all commits up to a timestamp. */
  public void awaitMoment(long timestamp) {
    while (recording && !isAhead && !isSettled() && moment < timestamp) {
      awaitForced(forced + 1);
    }
  }

  /**
   * Returns the start position of a replay on top of a checkpoint that contains all commits visible
   * from now on: no transaction that commits later has rows before it.
   */
  public long checkpointPosition() {
    lock.lock();
    try {
      long position = reserved;
      for (long part : parts.values()) {
        position = Math.min(position, part);
      }
      return position;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns an upper bound of the timestamps of commits that have rows before a position. While the
   * bound is unknown, the result is the largest value.
   */
  public long largestBefore(long position) {
    lock.lock();
    try {
      boolean isKnown = parts.values().stream().allMatch(begun -> begun >= position);
      return isKnown ? largestTimestamp : Long.MAX_VALUE;
    } finally {
      lock.unlock();
    }
  }

  /** Releases the log before a position, which a checkpoint contains. */
  public void release(long position) throws IOException {
    segments.release(position);
  }

  private void run() {
    while (true) {
      boolean wrote = writeGroup();
      if (closing && !wrote) {
        return;
      }
      if (!wrote) {
        environment.parkNanos(PARK_NANOS);
      } else if (mayPause()) {
        environment.parkNanos(options.intervalNanos());
      }
    }
  }

  /** A thread that starts to wait for a force wakes the writer. */
  private boolean mayPause() {
    lock.lock();
    try {
      isWriterPausing = !closing && wanted <= forced;
      return isWriterPausing;
    } finally {
      lock.unlock();
    }
  }

  private boolean writeGroup() {
    RedoBuffer group;
    long from;
    long to;
    long now;
    boolean isForceWanted;
    lock.lock();
    try {
      isWriterPausing = false;
      from = fillingFrom;
      to = reserved;
      now = clock.getAsLong();
      isForceWanted = forced < Math.min(Math.max(wanted, wantedSoon), to);
      if (failure != null || (to == from && !isForceWanted)) {
        isWriterIdle = true;
        return false;
      }
      group = filling;
      filling = spare;
      spare = group;
      fillingFrom = to;
      isWriterIdle = false;
      if (isForceWanted) {
        forcedBefore = to; // the next group is written only after this force has succeeded
      }
    } finally {
      lock.unlock();
    }
    for (int attempt = 0; !group.isFilled((int) (to - from)); attempt++) {
      if (failure != null) {
        return true; // the thread that was to fill it has failed
      }
      environment.backoff(attempt);
    }
    try {
      segments.write(group.take((int) (to - from)), from);
      if (isForceWanted) {
        segments.force();
        forcedUpTo(to, now);
      }
    } catch (IOException e) {
      fail(e);
    }
    return true;
  }

  private void forcedUpTo(long position, long timestamp) {
    Thread[] woken;
    int count = 0;
    lock.lock();
    try {
      moment = timestamp; // first: readers of the forced position need a moment that covers it
      forced = position;
      woken = new Thread[waitersCount];
      int kept = 0;
      for (int i = 0; i < waitersCount; i++) {
        if (waitersEnds[i] <= position) {
          woken[count++] = waiters[i];
        } else {
          waitersEnds[kept] = waitersEnds[i];
          waiters[kept++] = waiters[i];
        }
      }
      Arrays.fill(waiters, kept, waitersCount, null);
      waitersCount = kept;
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < count; i++) {
      LockSupport.unpark(woken[i]);
    }
  }

  private void fail(Throwable why) {
    if (refuse(why)) {
      onFailure.accept(new RedoFailedException(location, why));
      wakeAll();
    }
  }

  private boolean refuse(Throwable why) {
    lock.lock();
    try {
      boolean isFirst = failure == null;
      failure = isFirst ? why : failure;
      return isFirst;
    } finally {
      lock.unlock();
    }
  }

  private void wakeAll() {
    Thread[] woken;
    lock.lock();
    try {
      woken = Arrays.copyOf(waiters, waitersCount);
    } finally {
      lock.unlock();
    }
    for (Thread waiter : woken) {
      LockSupport.unpark(waiter);
    }
  }

  /** Forces all entries and ends the run cleanly. No thread may append meanwhile. */
  @Override
  public void close() {
    try {
      if (recording && failure == null) {
        isUnchanged = reserved == begun;
        closeTimestamp = RedoLayout.timestamp(mark(RedoLayout.CLOSE).bytes());
        isClosed = true;
      }
    } finally {
      abandon();
    }
  }

  /** Returns true after a clean close: the log is on the disk up to its end. */
  public boolean isClosed() {
    return isClosed;
  }

  /** Returns true if the closed run has appended no entry. */
  public boolean isUnchanged() {
    return isUnchanged;
  }

  /** Returns the timestamp of the CLOSE. */
  public long closeTimestamp() {
    return closeTimestamp;
  }

  /** Ends the threads and closes the files without forcing; later appends fail. */
  public void abandon() {
    recording = false;
    closing = true;
    writer.stop();
    writer.join();
    refuse(new IOException("it has been closed"));
    wakeAll();
    segments.close();
  }
}
