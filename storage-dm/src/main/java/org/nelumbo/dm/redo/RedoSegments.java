package org.nelumbo.dm.redo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the log that is being written. A thread makes the next one before it is needed, all
 * zeros and forced, so that writing to it changes nothing but bytes that are there; and it removes
 * those that nobody needs. If there is an archive, another one copies those that are full to it:
 * before that they are needed. One thread writes and forces.
 */
public final class RedoSegments {
  private static final Logger LOG = LoggerFactory.getLogger(RedoSegments.class);
  private static final String PREFIX = "redo-";
  private static final int DIGITS = 16;
  private static final int ZEROS_BYTES = 1 << 18;
  private static final long IDLE_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final Disk disk;
  private final FileHeader database;
  private final int segmentBytes;
  private final int capacity;
  private final BackgroundThread keeper;

  /** Null, as the thread that copies to it, if nobody wants full segments. */
  private final LogArchive archive;

  private final BackgroundThread archiver;

  /** Guards what follows. */
  private final ReentrantLock lock = new ReentrantLock();

  private final TreeMap<Long, DiskFile> prepared = new TreeMap<>();
  private long nextPrepared;
  private long wanted;

  /** Numbers of segments that nobody needs. */
  private final TreeSet<Long> obsolete = new TreeSet<>();

  /** Number of the first segment that something may be written to yet. */
  private long firstOpen;

  /**
   * By numbers of segments that are to be copied: timestamps which no commit before them exceeds.
   */
  private final TreeMap<Long, Long> largestBefore = new TreeMap<>();

  /** That of those which were full when the log was opened. */
  private long largestAtStart;

  private LongUnaryOperator largest;

  /** Why the next file could not be made the last time; null if it could. */
  private IOException obstacle;

  /** Written since the last force; for the thread that writes. */
  private final TreeMap<Long, DiskFile> touched = new TreeMap<>();

  /**
   * Segments of a database.
   *
   * @param archive where full segments are copied to; null for nowhere
   */
  public RedoSegments(Environment environment, Disk disk, FileHeader database, LogArchive archive) {
    this.environment = environment;
    this.disk = disk;
    this.database = database;
    this.segmentBytes = (int) database.first();
    this.capacity = segmentBytes - RedoLayout.BLOCK;
    this.archive = archive;
    this.archiver =
        archive == null
            ? null
            : new BackgroundThread(environment, "nelumbo-redo-archive", this::archive);
    this.keeper = new BackgroundThread(environment, "nelumbo-redo-files", this::run);
  }

  public static String name(long number) {
    return PREFIX + String.format("%0" + DIGITS + "x", number);
  }

  /**
   * Where a position is, for people.
   *
   * @param capacity bytes of the log in a segment
   */
  public static String place(long position, long capacity) {
    return "file="
        + name(position / capacity)
        + " offset="
        + (RedoLayout.BLOCK + position % capacity);
  }

  /** Number of the segment in a file of that name; less than 0 if it has none. */
  public static long number(String name) {
    return name.matches(PREFIX + "[0-9a-f]{" + DIGITS + "}")
        ? Long.parseUnsignedLong(name.substring(PREFIX.length()), 16)
        : -1;
  }

  /** Names of the segments on a disk. */
  public static List<String> names(Disk disk) throws IOException {
    return disk.list().stream().filter(name -> number(name) >= 0).toList();
  }

  /** Makes the first file of a new database. */
  public void makeFirst() throws IOException {
    prepare();
    prepared.pollFirstEntry().getValue().close();
  }

  /**
   * Goes on from a position. What lies behind its segment was never part of the log.
   *
   * @param rewritten from where it is written again, at most there
   * @param isThere whether there is a file for its segment
   * @param timestamp the largest in the log
   * @param largestTimestamp tells a timestamp that no commit exceeds which has rows before a
   *     position
   */
  public void start(
      long rewritten,
      long position,
      boolean isThere,
      long timestamp,
      LongUnaryOperator largestTimestamp)
      throws IOException {
    largestAtStart = timestamp;
    largest = largestTimestamp;
    long number = position / capacity;
    List<String> later = new ArrayList<>(disk.list());
    later.removeIf(name -> number(name) <= number);
    later.sort(Comparator.reverseOrder());
    for (String name : later) {
      disk.delete(name);
      disk.forceNames(); // one after the other, so that one that is missing between two was lost
    }
    for (long earlier = rewritten / capacity; earlier < number; earlier++) {
      prepared.put(earlier, disk.open(name(earlier)));
    }
    nextPrepared = number;
    if (isThere) {
      prepared.put(number, disk.open(name(number)));
      nextPrepared++;
    } else {
      prepare();
    }
    wanted = number + 2;
    firstOpen = number;
    keeper.start();
    if (archiver != null) {
      archiver.start();
    }
  }

  /**
   * Writes a part of the log again as it is, so that the next force is one of it, too. It can be
   * read, but may not be on the disk: a force of it may have failed in an earlier run, and systems
   * forget what they could not write.
   */
  public void rewrite(long from, long to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(ZEROS_BYTES);
    for (long at = from; at < to; ) {
      int offset = (int) (at % capacity);
      int count = (int) Math.min(Math.min(bytes.capacity(), to - at), capacity - offset);
      bytes.clear().limit(count);
      file(at / capacity).read(bytes, RedoLayout.BLOCK + offset);
      write(bytes.flip(), at);
      at += count;
    }
  }

  /** Makes the next file. */
  private void prepare() throws IOException {
    DiskFile file = disk.create(name(nextPrepared));
    try {
      ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(ZEROS_BYTES, capacity));
      for (long at = RedoLayout.BLOCK; at < segmentBytes; at += zeros.limit()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), segmentBytes - at));
        file.write(zeros, at);
      }
      new FileHeader(
              FileHeader.SEGMENT,
              database.rowFormat(),
              database.database(),
              nextPrepared,
              segmentBytes,
              0,
              0)
          .write(file);
      file.force();
      disk.forceNames();
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
    lock.lock();
    try {
      prepared.put(nextPrepared, file);
      nextPrepared++;
      obstacle = null;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (!keeper.isStopped()) {
      if (!isShort()) {
        removeObsolete();
      }
      if (isShort()) {
        try {
          prepare();
          continue;
        } catch (IOException e) {
          if (MemoryImage.discard(disk)) {
            continue; // there may be room now
          }
          lock.lock();
          try {
            obstacle = e;
          } finally {
            lock.unlock();
          }
        }
      }
      rest(keeper);
    }
  }

  /** Waits until there may be something to do; not if it was to end while it was at work. */
  private void rest(BackgroundThread thread) {
    if (!thread.isStopped()) { // a wait for the disk may have taken the waking
      environment.parkNanos(IDLE_NANOS);
    }
  }

  private boolean isShort() {
    lock.lock();
    try {
      return nextPrepared < wanted;
    } finally {
      lock.unlock();
    }
  }

  private void archive() {
    IOException obstacle = null;
    long end = 0; // behind the last segment that has been copied
    while (!archiver.isStopped()) {
      long full = firstOpen();
      if (end < full) {
        try {
          archiveUpTo(full);
          end = full;
          if (obstacle != null) {
            LOG.info("the log is copied to its archive again archive={}", archive.place());
          }
          obstacle = null;
        } catch (IOException e) {
          if (obstacle == null) {
            LOG.warn(
                "the log cannot be copied to its archive, and is kept until it can be: make room,"
                    + " or see to the directory archive={} database={}",
                archive.place(),
                disk.place(),
                e);
          }
          obstacle = e;
        }
      }
      rest(archiver);
    }
  }

  private void archiveUpTo(long end) throws IOException {
    TreeSet<Long> full = new TreeSet<>();
    names(disk).forEach(name -> full.add(number(name)));
    for (long number : full.headSet(end)) {
      if (!archive.has(number) && !archiver.isStopped()) {
        archive.add(disk, number, largestBefore(number));
        forget(number);
        keeper.wake();
      }
    }
  }

  private long largestBefore(long number) {
    lock.lock();
    try {
      return largestBefore.getOrDefault(number, largestAtStart);
    } finally {
      lock.unlock();
    }
  }

  private void forget(long number) {
    lock.lock();
    try {
      largestBefore.headMap(number, true).clear();
    } finally {
      lock.unlock();
    }
  }

  private long firstOpen() {
    lock.lock();
    try {
      return firstOpen;
    } finally {
      lock.unlock();
    }
  }

  private void removeObsolete() {
    for (long number; (number = nextObsolete()) >= 0; ) {
      try {
        disk.delete(name(number));
      } catch (IOException e) {
        return; // it is found when the database is opened again
      }
    }
  }

  /** The oldest segment that can be removed; less than 0 if there is none. */
  private long nextObsolete() {
    lock.lock();
    try {
      boolean isNone = obsolete.isEmpty();
      return isNone || (archive != null && !archive.has(obsolete.first()))
          ? -1
          : obsolete.pollFirst();
    } finally {
      lock.unlock();
    }
  }

  /** Nobody needs what lies before a position. */
  void release(long position) throws IOException {
    List<String> names = names(disk);
    lock.lock();
    try {
      names.forEach(name -> obsolete.add(number(name)));
      obsolete.tailSet(position / capacity).clear();
    } finally {
      lock.unlock();
    }
    keeper.wake();
  }

  /** Writes bytes of the log that lie behind those that were written last. */
  void write(ByteBuffer bytes, long position) throws IOException {
    long at = position;
    while (bytes.hasRemaining()) {
      long number = at / capacity;
      int offset = (int) (at % capacity);
      int limit = bytes.limit();
      int count = Math.min(bytes.remaining(), capacity - offset);
      bytes.limit(bytes.position() + count);
      DiskFile file = file(number);
      touched.put(number, file);
      file.write(bytes, RedoLayout.BLOCK + offset);
      bytes.limit(limit);
      at += count;
    }
  }

  /** A file to write to; waits until it is there. */
  private DiskFile file(long number) throws IOException {
    for (int attempt = 0; ; attempt++) {
      lock.lock();
      try {
        if (wanted < number + 2) {
          wanted = number + 2;
          keeper.wake();
        }
        DiskFile file = prepared.get(number);
        if (file != null) {
          return file;
        }
        if (obstacle != null) {
          throw obstacle;
        }
      } finally {
        lock.unlock();
      }
      environment.backoff(attempt);
    }
  }

  /** Forces what was written. */
  void force() throws IOException {
    for (DiskFile file : touched.values()) {
      file.force();
    }
    while (touched.size() > 1) {
      long done = touched.firstKey();
      touched.pollFirstEntry().getValue().close();
      long timestamp = archive == null ? 0 : largest.applyAsLong((done + 1) * capacity);
      lock.lock();
      try {
        prepared.remove(done);
        firstOpen = done + 1;
        if (archive != null) {
          largestBefore.put(done + 1, timestamp);
        }
      } finally {
        lock.unlock();
      }
      if (archiver != null) {
        archiver.wake();
      }
    }
  }

  /** Ends the thread and closes the files; nobody writes any more. */
  void close() {
    keeper.stop();
    keeper.join();
    if (archiver != null) {
      archiver.stop();
      archiver.join();
      archive.close();
    }
    for (DiskFile file : prepared.values()) {
      try {
        file.close();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
    prepared.clear();
    touched.clear();
  }
}
