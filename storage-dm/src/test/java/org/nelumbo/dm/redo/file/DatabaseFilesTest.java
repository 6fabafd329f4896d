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
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoSegments;

/** Tests opening, reading back and rejecting the files of a database. */
class DatabaseFilesTest extends DatabaseFilesFixture {
  @Test
  void shouldReadBackCommittedRows() {
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

  /**
   * Frames that recovery writes again may be lost although the BEGIN frame after them is not, so no
   * frame may state that they are forced.
   */
  @Test
  void shouldNotDeclareRewrittenFramesForced() {
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

  @Test
  void shouldNotCreateDatabaseOverExistingLog() {
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
  void shouldKeepForeignFiles() throws IOException {
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
  void shouldDropLogBeforeCheckpoint() throws IOException {
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
      LockSupport.parkNanos(100_000); // a background thread removes unneeded segments
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
  void shouldRejectForeignFilesAndUnknownFormats() throws IOException {
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
