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
 * The files of the log that is being written. A background thread creates the next file ahead of
 * time, filled with zeros and forced, so that a write only changes existing bytes. It also removes
 * obsolete files. If there is an archive, a second background thread copies full segments to it; a
 * segment is obsolete only after that. One thread writes and forces.
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

  /** Null, as is its thread, without an archive. */
  private final LogArchive archive;

  private final BackgroundThread archiver;

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final TreeMap<Long, DiskFile> prepared = new TreeMap<>();
  private long nextPrepared;
  private long wanted;

  private final TreeSet<Long> obsolete = new TreeSet<>();

  /** Number of the first segment that may still be written. */
  private long firstOpen;

  /** By numbers of segments to be copied: upper bound of the timestamps of commits before them. */
  private final TreeMap<Long, Long> largestBefore = new TreeMap<>();

  /**
   * Upper bound of the timestamps of commits in segments that were full when the log was opened.
   */
  private long largestAtStart;

  private LongUnaryOperator largest;

  private IOException obstacle;

  /** Files written since the last force; used by the writing thread. */
  private final TreeMap<Long, DiskFile> touched = new TreeMap<>();

  /**
   * Creates the segments of a database.
   *
   * @param archive archive of full segments; null for none
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
   * Describes a position for messages.
   *
   * @param capacity bytes of the log in a segment
   */
  public static String location(long position, long capacity) {
    return "file="
        + name(position / capacity)
        + " offset="
        + (RedoLayout.BLOCK + position % capacity);
  }

  /** Returns the number of the segment with a file name; negative for other files. */
  public static long number(String name) {
    return name.matches(PREFIX + "[0-9a-f]{" + DIGITS + "}")
        ? Long.parseUnsignedLong(name.substring(PREFIX.length()), 16)
        : -1;
  }

  /** Returns the file names of the segments on a disk. */
  public static List<String> names(Disk disk) throws IOException {
    return disk.list().stream().filter(name -> number(name) >= 0).toList();
  }

  /** Creates the first file of a new database. */
  public void makeFirst() throws IOException {
    prepare();
    prepared.pollFirstEntry().getValue().close();
  }

  /**
   * Continues at a position. Files behind its segment were never part of the log, and are removed.
   *
   * @param rewritten position at which rewriting starts, at most {@code position}
   * @param position end of the log
   * @param isThere true if there is a file for its segment
   * @param timestamp largest timestamp in the log
   * @param largestTimestamp returns an upper bound of the timestamps of commits with rows before a
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
      disk.forceNames(); // one by one, so that a missing file between two others reveals a loss
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
   * Writes a part of the log again unchanged, so that the next force includes it. It is readable,
   * but may not be on the disk: a force may have failed in an earlier run, and operating systems
   * forget pages that they could not write.
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
            continue; // its space is available now
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

  private void rest(BackgroundThread thread) {
    if (!thread.isStopped()) { // the wake-up may have been consumed by a wait for the disk
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
    long end = 0; // number behind the last copied segment
    while (!archiver.isStopped()) {
      long full = firstOpen();
      if (end < full) {
        try {
          archiveUpTo(full);
          end = full;
          if (obstacle != null) {
            LOG.info("the log is copied to its archive again archive={}", archive.location());
          }
          obstacle = null;
        } catch (IOException e) {
          if (obstacle == null) {
            LOG.warn(
                "the log cannot be copied to its archive, and is retained until then: free"
                    + " space, or check the directory archive={} database={}",
                archive.location(),
                disk.location(),
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
        return; // the next release finds the file again
      }
    }
  }

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

  /** Releases the segments before a position. */
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

  /** Writes bytes of the log that follow the last written ones. */
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

  /** Forces all written files. */
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

  /** Ends the threads and closes the files. The writer has ended before. */
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
