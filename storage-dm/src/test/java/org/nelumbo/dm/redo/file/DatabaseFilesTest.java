package org.nelumbo.dm.redo.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.ForcedFile;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.RedoSegments;

/** What was acknowledged is read back, nothing else is, and damage is found. */
class DatabaseFilesTest {
  private static final int SEGMENT = 5 * RedoLayout.BLOCK;
  private static final int ROW_FORMAT = 7;

  private final Environment environment = new SystemEnvironment();
  private final AtomicLong clock = new AtomicLong(1_000);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final RedoEntry entry = new RedoEntry();

  private DatabaseFiles open(MemoryDisk disk, int rowFormat) {
    RedoOptions options = RedoOptions.DEFAULT.withSegmentBytes(SEGMENT);
    return DatabaseFiles.open(environment, disk, options, rowFormat, PoolExpectation.ANY);
  }

  private DatabaseFiles start(MemoryDisk disk) {
    DatabaseFiles files = open(disk, ROW_FORMAT);
    files.start(clock::get, failure::set);
    return files;
  }

  private long commit(DatabaseFiles files, String... rows) {
    entry.begin();
    for (String row : rows) {
      add(row);
    }
    files.log().commit(entry, Durability.COMMIT, clock::incrementAndGet);
    files.log().awaitForced(entry.end());
    return entry.end();
  }

  /** A row of which the first byte is the key. */
  private void add(String row) {
    byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
    entry.add(3, bytes, 0, 1, bytes.length, false);
  }

  private static List<String> rows(DatabaseFiles files) {
    List<String> rows = new ArrayList<>();
    try {
      files.forEachRow(
          (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
            assertEquals(3, store);
            assertEquals(1, keyLength);
            rows.add(new String(bytes, offset, imageLength, StandardCharsets.UTF_8));
          });
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return rows;
  }

  private List<String> reopened(Map<String, byte[]> copy) {
    return rows(open(MemoryDisk.of(copy), ROW_FORMAT));
  }

  @Test
  void shouldReadBackWhatWasCommitted() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    assertTrue(files.isNew());
    List<String> wanted = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String row = "k".repeat(1 + i % 97) + i;
      commit(files, row, "x" + i);
      wanted.add(row);
      wanted.add("x" + i);
    }
    assertEquals(wanted, reopened(disk.copy()), "as after kill -9");
    files.close();
    DatabaseFiles again = start(disk);
    assertTrue(again.wasClosed());
    assertFalse(again.isNew());
    assertEquals(files.id(), again.id());
    assertEquals(1300, again.lastTimestamp());
    commit(again, "later");
    again.close();
    wanted.add("later");
    assertEquals(wanted, reopened(disk.copy()));
  }

  @Test
  void shouldTakeAPrefixOfALogThatWasTornAnywhere() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    commit(files, "a");
    Map<String, byte[]> before = disk.copy();
    long from = files.log().end();
    commit(files, "b".repeat(40), "c");
    long to = files.log().end();
    Map<String, byte[]> after = disk.copy();
    files.abandon();
    String name = RedoSegments.name(0);
    for (long cut = from; cut < to; cut++) {
      byte[] torn = before.get(name).clone();
      int count = RedoLayout.BLOCK + (int) cut;
      System.arraycopy(after.get(name), 0, torn, 0, count);
      before.put(name, torn);
      List<String> found = reopened(before);
      boolean isPadding = found.size() == 3;
      assertTrue(isPadding ? to - cut < 8 : found.equals(List.of("a")), "cut=" + cut);
    }
  }

  @Test
  void shouldFindEveryFlippedBitOfWhatWasForcedBefore() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    long first = files.log().end();
    commit(files, "a".repeat(30), "b");
    long second = commit(files, "c");
    commit(files, "d");
    Map<String, byte[]> copy = disk.copy();
    files.abandon();
    String name = RedoSegments.name(0);
    for (long at = first; at < second; at++) {
      byte[] bytes = copy.get(name);
      int offset = RedoLayout.BLOCK + (int) at;
      bytes[offset] ^= (byte) (1 << at % 8);
      try {
        assertEquals(4, reopened(copy).size(), "padding only at=" + at);
      } catch (DamagedFilesException e) {
        assertTrue(e.getMessage().contains(name), e.getMessage());
      }
      bytes[offset] ^= (byte) (1 << at % 8);
    }
    assertEquals(4, reopened(copy).size());
  }

  @Test
  void shouldNoticeAMissingSegment() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    for (int i = 0; i < 100; i++) {
      commit(files, "r".repeat(1000));
    }
    Map<String, byte[]> copy = disk.copy();
    files.abandon();
    assertTrue(copy.containsKey(RedoSegments.name(3)), copy.keySet().toString());
    copy.remove(RedoSegments.name(2));
    assertThrows(DamagedFilesException.class, () -> reopened(copy));
    copy.remove(RedoSegments.name(0));
    assertThrows(DamagedFilesException.class, () -> reopened(copy));
  }

  /** Files of a log that lies in several segments, the last of them made in advance. */
  private Map<String, byte[]> longLog() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    for (int i = 0; i < 50; i++) {
      commit(files, "r".repeat(1000));
    }
    long last = files.log().end() / (SEGMENT - RedoLayout.BLOCK);
    while (!disk.list().contains(RedoSegments.name(last + 1))) {
      LockSupport.parkNanos(100_000);
    }
    files.abandon();
    Map<String, byte[]> copy = disk.copy();
    assertEquals(last + 4, copy.size()); // DATABASE, FORCED, and a file in advance
    return copy;
  }

  @Test
  void shouldNoticeWhateverHappensToAFileThatHoldsCommits() {
    Map<String, byte[]> whole = longLog();
    assertEquals(50, reopened(whole).size());
    List<String> used = List.copyOf(whole.keySet()).subList(2, whole.size() - 1);
    for (String name : used) {
      Map<String, byte[]> copy = new TreeMap<>(whole);
      copy.remove(name);
      assertDamaged(name, copy);
      copy.put(name, new byte[0]);
      assertDamaged(name, copy);
      copy.put(name, Arrays.copyOf(whole.get(name), SEGMENT - 1));
      assertDamaged(name, copy);
      copy.put(name, whole.get(used.get(name.equals(used.get(0)) ? 1 : 0)));
      assertDamaged(name, copy);
      byte[] flipped = whole.get(name).clone();
      copy.put(name, flipped);
      for (int at = 0; at < 60; at++) {
        flipped[at] ^= 1;
        assertThrows(RuntimeException.class, () -> reopened(copy), name + " at=" + at);
        flipped[at] ^= 1;
      }
    }
  }

  @Test
  void shouldTrustALogWithoutTheFileThatSaysHowFarItWentOnlyIfItWasClosed() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    commit(files, "first");
    Map<String, byte[]> open = disk.copy();
    open.remove(ForcedFile.NAME);
    assertDamaged(ForcedFile.NAME, open);
    files.close();
    Map<String, byte[]> closed = disk.copy();
    closed.put(ForcedFile.NAME, new byte[100]);
    MemoryDisk once = MemoryDisk.of(closed);
    files = start(once);
    commit(files, "second");
    assertEquals(2, reopened(once.copy()).size(), "it is made anew when the log goes on");
    files.close();
  }

  /** What is written again before it may be lost, and the BEGIN not. */
  @Test
  void shouldNotSayOfWhatItHasWrittenAgainThatItWasForced() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    commit(files, "first");
    long end = files.log().end();
    files.abandon();
    MemoryDisk again = MemoryDisk.of(disk.copy());
    start(again).abandon();
    ByteBuffer segment =
        ByteBuffer.wrap(again.copy().get(RedoSegments.name(0))).order(ByteOrder.LITTLE_ENDIAN);
    int begin = RedoLayout.BLOCK + (int) end;
    assertEquals(end, segment.getLong(begin + 8), "its BEGIN");
    assertTrue(segment.getLong(begin + 32) < end, "no frame has said that the last one was forced");
  }

  private void assertDamaged(String name, Map<String, byte[]> files) {
    String message =
        assertThrows(DamagedFilesException.class, () -> reopened(files), name).getMessage();
    assertTrue(message.contains("damaged") || message.contains("keep a copy"), message);
  }

  @Test
  void shouldTakeAFileThatWasBeingMadeForOneThatWasNever() {
    Map<String, byte[]> copy = longLog();
    String last = List.copyOf(copy.keySet()).get(copy.size() - 1);
    copy.put(last, Arrays.copyOf(copy.get(last), 100));
    assertEquals(50, reopened(copy).size());
    copy.put(last, new byte[SEGMENT]);
    MemoryDisk disk = MemoryDisk.of(copy);
    DatabaseFiles files = start(disk);
    for (int i = 0; i < 50; i++) {
      commit(files, "s".repeat(1000));
    }
    files.close();
    assertEquals(100, reopened(disk.copy()).size());
  }

  @Test
  void shouldNotMakeADatabaseOverOneThatHasLostItsName() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    commit(files, "a");
    files.close();
    Map<String, byte[]> copy = disk.copy();
    copy.remove("DATABASE");
    copy.keySet().retainAll(List.of(RedoSegments.name(0)));
    MemoryDisk nameless = MemoryDisk.of(copy);
    assertThrows(DamagedFilesException.class, () -> open(nameless, ROW_FORMAT));
    assertTrue(
        Arrays.equals(
            copy.get(RedoSegments.name(0)), nameless.copy().get("redo-" + "0".repeat(16))));
    copy.put(RedoSegments.name(0), new byte[100]);
    assertEquals(List.of(), reopened(copy), "it was being made");
  }

  @Test
  void shouldLeaveFilesOfOthersAlone() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    start(disk).close();
    List<String> others =
        List.of(
            "notes.new",
            "checkpoint-old",
            "redo-" + "f".repeat(16),
            "checkpoint-" + "f".repeat(16));
    for (String name : others) {
      disk.create(name);
    }
    DatabaseFiles files = start(disk);
    try (RowFileWriter writer = files.newCheckpoint(files.log().checkpointPosition(), 1)) {
      files.finish(writer);
    }
    files.close();
    assertTrue(disk.list().containsAll(others), disk.list().toString());
  }

  @Test
  void shouldNotTakeWhatAnEarlierRunHasLeftBehindItsEnd() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    commit(files, "a");
    long lost = files.log().end();
    commit(files, "l".repeat(50)); // as long as two frames of the next run
    long stale = files.log().end();
    commit(files, "stale");
    Map<String, byte[]> copy = disk.copy();
    files.abandon();
    byte[] bytes = copy.get(RedoSegments.name(0));
    Arrays.fill(bytes, RedoLayout.BLOCK + (int) lost, RedoLayout.BLOCK + (int) stale, (byte) 0);
    makeUnforced(bytes, RedoLayout.BLOCK + (int) stale, lost);
    assertEquals(List.of("a"), reopened(copy));
    MemoryDisk second = MemoryDisk.of(copy);
    DatabaseFiles again = start(second);
    commit(again, "b");
    assertEquals(stale, again.log().end());
    copy = second.copy();
    again.abandon();
    assertEquals(List.of("a", "b"), reopened(copy));
  }

  /** As if a frame had been written together with those before it. */
  private static void makeUnforced(byte[] bytes, int at, long forced) {
    RedoLayout.putLong(bytes, at + 32, forced);
    RedoLayout.putInt(bytes, at + 44, RedoLayout.sum(new CRC32C(), bytes, at, 44));
  }

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
  void shouldGiveUpTheLogBeforeACheckpoint() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    for (int i = 0; i < 100; i++) {
      commit(files, "r".repeat(1000));
    }
    try (RowFileWriter writer =
        files.newCheckpoint(files.log().checkpointPosition(), clock.get())) {
      byte[] row = "s".getBytes(StandardCharsets.UTF_8);
      writer.add(3, row, 0, 1, 1);
      commit(files, "t");
      assertEquals(101, reopened(disk.copy()).size(), "an unfinished one does not count");
      files.finish(writer);
    }
    assertEquals(List.of("s", "t"), reopened(disk.copy()));
    while (disk.list().contains(RedoSegments.name(1))) {
      LockSupport.parkNanos(100_000); // a thread of its own removes what is not needed
    }
    files.close();
    DatabaseFiles again = start(disk);
    commit(again, "u");
    Map<String, byte[]> copy = disk.copy();
    again.close();
    assertEquals(List.of("s", "t", "u"), reopened(copy));
    String name = copy.keySet().stream().filter(n -> n.startsWith("checkpoint")).findAny().get();
    copy.get(name)[RedoLayout.BLOCK + RedoLayout.HEADER + 1] ^= 1;
    assertThrows(DamagedFilesException.class, () -> reopened(copy));
  }

  @Test
  void shouldSeeWhatWasForcedAtTheMomentThatReadersBeginAt() throws InterruptedException {
    DatabaseFiles files = open(new MemoryDisk(), ROW_FORMAT);
    RedoLog log = files.log();
    files.start(log::end, failure::set); // as if timestamps were positions
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
  void shouldHaveReadersBeginNowAfterTheLogWasIdle() {
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
  void shouldAcknowledgeNothingAfterAForceHasFailed() {
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
  void shouldForceWhatIsWaitedForOrIsToBeThereSoon() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    RedoLog log = files.log();
    int forces = disk.forces.get();
    append(files, Durability.NONE, "a");
    assertTrue(log.isAhead());
    while (reopened(disk.copy()).isEmpty()) {
      LockSupport.parkNanos(100_000); // it is written all the same
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

  private void append(DatabaseFiles files, Durability durability, String row) {
    entry.begin();
    add(row);
    files.log().commit(entry, durability, clock::incrementAndGet);
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

  @Test
  void shouldRefuseWhatItDoesNotKnow() throws IOException {
    MemoryDisk foreign = new MemoryDisk();
    foreign.create("letter.txt");
    String message =
        assertThrows(PoolOpenException.class, () -> open(foreign, ROW_FORMAT)).getMessage();
    assertTrue(message.contains("letter.txt"), message);
    MemoryDisk disk = new MemoryDisk();
    start(disk).close();
    message = assertThrows(PoolOpenException.class, () -> open(disk, ROW_FORMAT + 1)).getMessage();
    assertTrue(message.contains("expected=" + (ROW_FORMAT + 1)), message);
    Map<String, byte[]> copy = disk.copy();
    byte[] header = copy.get("DATABASE");
    RedoLayout.putInt(header, 8, RedoLayout.FORMAT + 1);
    RedoLayout.putInt(header, 56, RedoLayout.sum(new CRC32C(), header, 0, 56));
    message = assertThrows(PoolOpenException.class, () -> reopened(copy)).getMessage();
    assertTrue(message.contains("another version"), message);
  }
}
