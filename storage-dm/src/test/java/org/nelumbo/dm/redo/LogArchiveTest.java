package org.nelumbo.dm.redo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.backup.Backup;
import org.nelumbo.dm.redo.backup.BackupFiles;
import org.nelumbo.dm.redo.backup.BackupRows;
import org.nelumbo.dm.redo.backup.BackupWriter;
import org.nelumbo.dm.redo.backup.LoggedRows;
import org.nelumbo.dm.redo.file.DatabaseFiles;

/**
 * Tests that no commit is missing between a backup and a point in time, whether the log is on the
 * disk, in the archive, or in both.
 */
@Timeout(20)
class LogArchiveTest {
  private static final int SEGMENT = 4 * RedoLayout.BLOCK;
  private static final int STORE = 3;

  private final Environment environment = new SystemEnvironment();
  private final AtomicLong clock = new AtomicLong(1_000);
  private final RedoEntry entry = new RedoEntry();
  private final MemoryDisk disk = new MemoryDisk();
  private final MemoryDisk archive = new MemoryDisk();
  private final MemoryDisk backups = new MemoryDisk();

  private DatabaseFiles start() {
    return start(disk, archive);
  }

  private DatabaseFiles start(Disk on, Disk archivedTo) {
    RedoOptions options =
        RedoOptions.DEFAULT.withSegmentBytes(SEGMENT).withArchive(() -> archivedTo);
    DatabaseFiles files = DatabaseFiles.open(environment, on, options, 1, PoolExpectation.ANY);
    files.start(clock::get, why -> {});
    return files;
  }

  /**
   * Commits {@code count} rows of about 2 kB, enough to fill some segments; returns the timestamp
   * of the last commit.
   */
  private long commit(DatabaseFiles files, String key, int count) {
    byte[] row = (key + "v".repeat(2_000)).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < count; i++) {
      entry.begin();
      entry.add(STORE, row, 0, 1, row.length, false);
      files.log().commit(entry, Durability.COMMIT, clock::incrementAndGet);
      files.log().awaitForced(entry.end());
    }
    return clock.get();
  }

  private static void checkpoint(DatabaseFiles files) throws IOException {
    long position = files.log().checkpointPosition();
    files.finish(files.newCheckpoint(position, files.lastTimestamp()));
  }

  private Backup backUp(DatabaseFiles files) throws IOException {
    BackupFiles all = BackupFiles.open(backups, 1);
    try (BackupWriter writer = all.begin(files.id(), clock.get(), true, Set.of(STORE))) {
      return writer.finish();
    }
  }

  /** Returns the keys of the commits between a backup and a point in time. */
  private String keys(Backup backup, long until, Disk... log) throws IOException {
    BackupRows base = BackupFiles.open(backups, 1).rows(backup);
    StringBuilder keys = new StringBuilder();
    LoggedRows.open(base, backup, List.of(log), until)
        .forEachRow(
            (store, bytes, offset, keyLength, imageLength, isDeleted) ->
                keys.append((char) bytes[offset]));
    return keys.toString();
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("it did not come about in time");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  private static List<Long> segments(MemoryDisk disk) {
    List<Long> numbers = new ArrayList<>();
    disk.list().stream().map(RedoSegments::number).filter(n -> n >= 0).forEach(numbers::add);
    return numbers;
  }

  @Test
  void shouldRestoreToAnyPointInTime() throws IOException {
    DatabaseFiles files = start();
    commit(files, "a", 20);
    Backup backup = backUp(files);
    long moment = commit(files, "b", 9);
    commit(files, "c", 1);
    checkpoint(files);
    await(() -> segments(disk).getFirst() > 2);
    files.close();
    files = start(); // a second run, which continues in the middle of a segment
    long later = commit(files, "d", 12);
    checkpoint(files);
    await(() -> segments(archive).getLast() == 6 && segments(disk).getFirst() == 7);
    for (int i = 0; i < 9; i++) {
      assertEquals("b".repeat(i), keys(backup, moment - 9 + i, disk, archive));
    }
    assertEquals("b".repeat(9), keys(backup, moment, disk, archive));
    assertEquals("b".repeat(9) + "c" + "d".repeat(12), keys(backup, Long.MAX_VALUE, disk, archive));
    assertEquals("", keys(backUp(files), Long.MAX_VALUE, disk, archive));
    assertEquals("b".repeat(9) + "c" + "d".repeat(11), keys(backup, later - 1, disk, archive));
    files.close();
  }

  @Test
  void shouldKeepSegmentsWhileArchiveIsFull() throws IOException {
    DatabaseFiles files = start();
    archive.room = SEGMENT + SEGMENT / 2;
    commit(files, "a", 30);
    checkpoint(files);
    await(() -> segments(archive).equals(List.of(0L)) && segments(disk).getFirst() == 1);
    commit(files, "b", 10);
    assertEquals(1, segments(disk).getFirst(), "nothing is lost, and nobody waits");
    archive.room = Long.MAX_VALUE;
    await(() -> segments(disk).getFirst() > 3);
    long first = segments(disk).getFirst(); // read first, as both lists continue to change
    assertTrue(segments(archive).getLast() >= first - 1);
    files.close();
  }

  @Test
  void shouldResumeArchivingAfterRestart() throws IOException {
    DatabaseFiles files = start();
    archive.room = 0;
    commit(files, "a", 30);
    files.close();
    assertEquals(List.of(), segments(archive));
    archive.room = Long.MAX_VALUE;
    files = start();
    long full = files.log().end() / (SEGMENT - RedoLayout.BLOCK);
    await(() -> segments(archive).size() == full);
    files.close();
  }

  @Test
  void shouldForceFileNamesLeftByKilledProcess() {
    DatabaseFiles files = start();
    commit(files, "a", 20);
    await(() -> segments(archive).size() > 1);
    Map<String, byte[]> copy = disk.copy();
    long last = files.log().end() / (SEGMENT - RedoLayout.BLOCK);
    copy.keySet().removeIf(name -> RedoSegments.number(name) > last);
    MemoryDisk left = MemoryDisk.of(copy);
    left.room = SEGMENT / 2; // too little for a segment, whose name would be forced with all others
    MemoryDisk leftArchive = MemoryDisk.of(archive.copy());
    leftArchive.room = 0; // the next process cannot archive anything
    Set<String> names = new TreeSet<>(left.list());
    Set<String> archived = new TreeSet<>(leftArchive.list());
    archived.removeIf(name -> RedoSegments.number(name) < 0);
    DatabaseFiles next = start(left, leftArchive);
    names.retainAll(left.unforcedNames());
    archived.retainAll(leftArchive.unforcedNames());
    assertEquals(Set.of(), names);
    assertEquals(Set.of(), archived);
    next.close();
    files.close();
  }

  @Test
  void shouldDetectMissingOrDamagedSegments() throws IOException {
    DatabaseFiles files = start();
    commit(files, "z", 20);
    Backup backup = backUp(files);
    commit(files, "a", 40);
    await(() -> segments(archive).size() > 5); // closing the files does not wait for the archive
    files.close();
    Map<String, byte[]> copy = disk.copy();
    assertEquals("a".repeat(40), keys(backup, Long.MAX_VALUE, MemoryDisk.of(copy)));
    MemoryDisk gap = MemoryDisk.of(copy);
    gap.delete(RedoSegments.name(4));
    assertThrows(DamagedFilesException.class, () -> keys(backup, Long.MAX_VALUE, gap));
    assertEquals("a".repeat(40), keys(backup, Long.MAX_VALUE, gap, archive));
    MemoryDisk late = MemoryDisk.of(copy);
    for (int i = 0; i < 5; i++) {
      late.delete(RedoSegments.name(i));
    }
    assertThrows(PoolOpenException.class, () -> keys(backup, Long.MAX_VALUE, late));
    copy.get(RedoSegments.name(3))[RedoLayout.BLOCK + 500] ^= 1;
    MemoryDisk damaged = MemoryDisk.of(copy);
    assertThrows(DamagedFilesException.class, () -> keys(backup, Long.MAX_VALUE, damaged));
    assertThrows(PoolOpenException.class, () -> keys(backup, Long.MAX_VALUE, new MemoryDisk()));
  }

  @Test
  void shouldNotMixTheLogsOfTwoDatabases() {
    DatabaseFiles files = start();
    commit(files, "a", 20);
    await(() -> !segments(archive).isEmpty());
    files.close();
    RedoOptions options = RedoOptions.DEFAULT.withSegmentBytes(SEGMENT).withArchive(() -> archive);
    MemoryDisk other = new MemoryDisk();
    assertThrows(
        PoolOpenException.class,
        () -> DatabaseFiles.open(environment, other, options, 1, PoolExpectation.ANY));
  }
}
