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
 * The log of a database that is open: many append, one thread writes and forces. Thread-safe.
 *
 * <p>An entry gets its position and its commit timestamp under a lock; so the order of positions is
 * that of timestamps. It is copied to its place in a buffer after that, beside others. The thread
 * takes all that has come while it forced what was before, when the last of it has been copied. The
 * slower the device, the more commits share a force. If nobody waits for what has come, it lets it
 * lie for an interval.
 *
 * <p>If writing or forcing fails once, nothing is written any more: what the device has of that
 * group is not known, and a second force would say that it has all of it.
 */
public final class RedoLog implements AutoCloseable {
  /** Nobody parks for longer without looking. */
  private static final long PARK_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final String place;
  private final RedoOptions options;
  private final RedoSegments segments;
  private final BackgroundThread writer;

  /** Guards what follows, up to the volatile fields, which are written under it. */
  private final ReentrantLock lock = new ReentrantLock();

  private RedoBuffer filling;
  private RedoBuffer spare;

  /** Position of the first byte that is being filled. */
  private long fillingFrom;

  /** The writer parks until something is appended. */
  private boolean isWriterIdle;

  /** The writer parks until the interval is over, or something is appended that is waited for. */
  private boolean isWriterPausing;

  /** Where transactions of several frames begin that have no COMMIT yet, by their numbers. */
  private final Map<Long, Long> parts = new HashMap<>();

  private long lastTransaction;

  /** The largest timestamp of what was appended. */
  private long largestTimestamp;

  private Thread[] waiters = new Thread[16];
  private long[] waitersEnds = new long[16];
  private int waitersCount;

  /** Position behind all that has a place. Raised before the timestamp is drawn. */
  private volatile long reserved;

  /** Position up to which the log is on the disk. */
  private volatile long forced;

  /** That as of the moment when what is being filled is written: up to there it was taken. */
  private long forcedBefore;

  /** Every transaction with a timestamp up to this is on the disk. */
  private volatile long moment;

  /** Up to which somebody waits for it. */
  private volatile long wanted;

  /** Up to which it is to be forced when the interval is over. */
  private long wantedSoon;

  /**
   * Whether commits may have been acknowledged that are not on the disk. Set before the first of
   * them has a timestamp; cleared when everything is on the disk.
   */
  private volatile boolean isAhead;

  private volatile boolean recording;

  /** It was closed in order. */
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
    this.place = disk.place();
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
   * Goes on from a position, in a run with a number that none had before.
   *
   * @param forcedUntil up to which the log is known to be on the disk: what has been written again
   *     since then may be lost while the BEGIN behind it is not, which must not say otherwise
   * @param timestamp the largest in the log
   * @param now the clock that timestamps are drawn from
   * @param whenFailed told once, by the thread that writes, if that can be done no longer
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
    begun = mark(RedoLayout.BEGIN).end(); // of this run nothing else is there unless this is
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

  /** Whether what is committed is to be logged; not yet while the log is being replayed. */
  public boolean isRecording() {
    return recording;
  }

  /** When commits are acknowledged if nothing else is said of them. */
  public Durability durability() {
    return options.durability();
  }

  /**
   * Appends a transaction's rows, or the last of them.
   *
   * @param durability COMMIT if somebody is going to wait until it is on the disk
   * @param draw draws the commit timestamp
   * @return the timestamp
   * @throws RedoFailedException if the log can be written no longer; then nothing was appended
   */
  public long commit(RedoEntry entry, Durability durability, LongSupplier draw) {
    entry.seal(RedoLayout.COMMIT);
    return append(entry, durability, draw);
  }

  /** Appends rows of a transaction that has more; they count when the last ones are committed. */
  public void part(RedoEntry entry, Durability durability) {
    entry.seal(RedoLayout.PART);
    append(entry, durability, () -> 0);
    entry.clearRows();
  }

  /** A transaction that has rows in the log comes to nothing. */
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

  /** Whether a transaction has rows in the log, and no end. */
  public boolean hasParts() {
    lock.lock();
    try {
      return !parts.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends a frame as it is.
   *
   * @param draw draws the timestamp
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

  /** Up to where the log is on the disk when what is being filled is written; under the lock. */
  private long forcedWhenWritten() {
    return forcedBefore;
  }

  /** Takes the next place for an entry; returns its timestamp. */
  private long reserve(RedoEntry entry, Durability durability, LongSupplier draw) {
    try {
      int length = entry.paddedLength();
      long position = reserved;
      if (forced == position) {
        isAhead = false; // first: who has seen it set has read the clock before the moment
        moment = clock.getAsLong(); // the one of the last group may be long past
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
      fail(e); // there may be a hole
      throw e;
    }
  }

  /** Copies an entry to its place, which the writer waits for. */
  private void fill(
      RedoBuffer buffer, int offset, RedoEntry entry, long timestamp, long forcedThen) {
    try {
      entry.place(run, timestamp, forcedThen);
      buffer.fill(offset, entry.bytes(), entry.paddedLength());
      if (!RedoLayout.isPart(RedoLayout.kind(entry.bytes()))) {
        entry.setTransaction(0);
      }
    } catch (RuntimeException | Error e) {
      fail(e); // there is a hole
      throw e;
    }
  }

  /** Notes up to when the log is to be forced, before anybody can see what is appended. */
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
      throw new RedoFailedException(place, why);
    }
  }

  /** Position behind all that has a place in the log. */
  public long end() {
    return reserved;
  }

  /** Position up to which the log is on the disk. */
  public long forced() {
    return forced;
  }

  /**
   * Waits until the log is on the disk up to a position.
   *
   * @throws RedoFailedException if that will not be; it may be there all the same
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
   * Whether everything is on the disk that can be seen. Who has read the clock before can see all
   * up to what it read.
   */
  public boolean isSettled() {
    long end = reserved;
    return forced >= end;
  }

  /**
   * Whether commits may have been acknowledged that are not on the disk. Then who begins to read
   * has to see all that can be seen.
   */
  public boolean isAhead() {
    return isAhead;
  }

  /** A timestamp: all transactions up to it are on the disk. */
  public long moment() {
    return moment;
  }

  /** Waits until who begins to read sees all up to a timestamp. */
  public void awaitMoment(long timestamp) {
    while (recording && !isAhead && !isSettled() && moment < timestamp) {
      awaitForced(forced + 1);
    }
  }

  /**
   * Where a replay has to begin after a checkpoint that sees all that is visible from now on: no
   * transaction that commits later has rows before that.
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
   * A timestamp that no commit exceeds which has rows before a position. It may be larger than need
   * be, and is the largest there is as long as that cannot be known.
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

  /** Nobody needs what lies before a position: a checkpoint has it. */
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

  /** Whether nobody waits for what is not on the disk; who begins to wait wakes the writer. */
  private boolean mayPause() {
    lock.lock();
    try {
      isWriterPausing = !closing && wanted <= forced;
      return isWriterPausing;
    } finally {
      lock.unlock();
    }
  }

  /** Writes all that has come since the last group; whether there was something. */
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
        forcedBefore = to; // nothing else is written until it is, or ever
      }
    } finally {
      lock.unlock();
    }
    for (int attempt = 0; !group.isFilled((int) (to - from)); attempt++) {
      if (failure != null) {
        return true; // who was to fill it has failed
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
      moment = timestamp; // first: whoever sees what is forced is to find a moment that has it
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

  /** Nothing is written any more. */
  private void fail(Throwable why) {
    if (refuse(why)) {
      onFailure.accept(new RedoFailedException(place, why));
      wakeAll();
    }
  }

  /** Whether nothing was refused before. */
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

  /** Forces everything and ends the run in order; nobody appends any more. */
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

  /** Whether it was closed in order: then it is on the disk up to its end. */
  public boolean isClosed() {
    return isClosed;
  }

  /** Whether the run that was closed has appended nothing. */
  public boolean isUnchanged() {
    return isUnchanged;
  }

  /** Timestamp of the frame by which it was closed. */
  public long closeTimestamp() {
    return closeTimestamp;
  }

  /** Ends the threads and closes the files as they are; what comes later is refused. */
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
