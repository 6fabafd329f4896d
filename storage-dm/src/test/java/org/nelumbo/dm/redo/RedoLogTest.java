package org.nelumbo.dm.redo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.DatabaseFilesFixture;

/** Tests which commits of a {@link RedoLog} are forced, and what readers see of them. */
class RedoLogTest extends DatabaseFilesFixture {
  @Test
  void shouldCountRowsOfLargeTransactionsOnlyWithTheirCommit() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    entry.begin();
    add("p1");
    files.log().part(entry, Durability.COMMIT);
    RedoEntry other = new RedoEntry();
    other.begin();
    byte[] row = "o".getBytes(StandardCharsets.UTF_8);
    other.add(3, row, 0, 1, 1, false);
    files.log().commit(other, Durability.COMMIT, clock::incrementAndGet);
    files.log().awaitForced(other.end());
    long begun = files.log().checkpointPosition();
    assertTrue(begun < other.end());
    assertEquals(List.of("o"), reopened(disk.copy()));
    add("p2");
    files.log().commit(entry, Durability.COMMIT, clock::incrementAndGet);
    files.log().awaitForced(entry.end());
    assertEquals(List.of("p1", "o", "p2"), reopened(disk.copy()));
    assertEquals(files.log().end(), files.log().checkpointPosition());
    files.abandon();
  }

  @Test
  void shouldIncludeForcedCommitsInReadTimestamp() throws InterruptedException {
    DatabaseFiles files = open(new MemoryDisk(), ROW_FORMAT);
    RedoLog log = files.log();
    files.start(log::end, failure::set); // timestamps are equal to log positions
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger early = new AtomicInteger();
    Thread reader =
        new Thread(
            () -> {
              while (!isOver.get()) {
                long forced = log.forced();
                early.addAndGet(log.moment() < forced ? 1 : 0);
              }
            });
    reader.start();
    for (int i = 0; i < 20_000; i++) {
      commit(files, "r");
    }
    isOver.set(true);
    reader.join();
    files.close();
    assertEquals(0, early.get());
  }

  @Test
  void shouldStartReadersAtCurrentTimeAfterIdleLog() {
    DatabaseFiles files = start(new MemoryDisk());
    commit(files, "a");
    clock.set(5_000);
    entry.begin();
    add("b");
    AtomicLong moment = new AtomicLong();
    files
        .log()
        .commit(
            entry,
            Durability.COMMIT,
            () -> {
              assertFalse(files.log().isSettled());
              moment.set(files.log().moment());
              return clock.incrementAndGet();
            });
    files.close();
    assertEquals(5_000, moment.get());
  }

  @Test
  void shouldAcknowledgeNothingAfterFailedForce() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    commit(files, "a");
    disk.forceFails = true;
    assertThrows(RedoFailedException.class, () -> commit(files, "b"));
    assertTrue(failure.get() instanceof RedoFailedException);
    disk.forceFails = false;
    int forces = disk.forces.get();
    assertThrows(RedoFailedException.class, () -> commit(files, "c"));
    files.close();
    assertEquals(forces, disk.forces.get(), "nobody forces again what may be lost");
    assertFalse(reopened(disk.copy()).contains("c"));
  }

  @Test
  void shouldForceOnlyForCommitAndIntervalDurability() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    RedoLog log = files.log();
    int forces = disk.forces.get();
    append(files, Durability.NONE, "a");
    assertTrue(log.isAhead());
    while (reopened(disk.copy()).isEmpty()) {
      LockSupport.parkNanos(100_000); // written without a force
    }
    append(files, Durability.NONE, "b");
    assertTrue(log.forced() < log.end());
    assertTrue(forces >= disk.forces.get() - 1, "of the next file at most");
    commit(files, "c");
    assertEquals(log.end(), log.forced());
    assertEquals(List.of("a", "b", "c"), reopened(disk.copy()));
    append(files, Durability.INTERVAL, "d");
    while (log.forced() < log.end()) {
      LockSupport.parkNanos(100_000);
    }
    commit(files, "e");
    assertFalse(log.isAhead());
    files.close();
  }

  @Test
  void shouldStopWhenTheDiskIsFull() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    disk.room = 3 * SEGMENT;
    int acknowledged = 0;
    try {
      while (acknowledged < 1000) {
        commit(files, "r".repeat(1000));
        acknowledged++;
      }
    } catch (RedoFailedException e) {
      assertTrue(e.getMessage().contains("No space left"), e.getMessage());
    }
    files.abandon();
    assertTrue(acknowledged > 0 && acknowledged < 1000);
    assertTrue(reopened(disk.copy()).size() >= acknowledged);
  }
}
