package org.nelumbo.dm.redo.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.ForcedFile;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoSegments;

/** Tests recovery from logs that are torn, damaged, or lack a file. */
class DamagedLogTest extends DatabaseFilesFixture {
  private static final List<String> ROWS = List.of("a".repeat(30), "b", "c", "d");

  @Test
  void shouldRecoverPrefixOfTornLog() {
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
  void shouldDetectEveryFlippedBitInForcedFrames() {
    MemoryDisk disk = new MemoryDisk();
    DatabaseFiles files = start(disk);
    long first = files.log().end();
    commit(files, ROWS.get(0), ROWS.get(1));
    long second = commit(files, ROWS.get(2));
    commit(files, ROWS.get(3));
    Map<String, byte[]> copy = disk.copy();
    files.abandon();
    String name = RedoSegments.name(0);
    byte[] bytes = copy.get(name);
    int end = RedoLayout.BLOCK + (int) second;
    for (int frame = RedoLayout.BLOCK + (int) first; frame < end; ) {
      int length = RedoLayout.getInt(bytes, frame) & 0xfff_ffff;
      int next = frame + RedoLayout.padded(length);
      for (int bit = 8 * frame; bit < 8 * next; bit++) {
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        if (bit / 8 < frame + length) {
          String why =
              assertThrows(DamagedFilesException.class, () -> reopened(copy), "bit=" + bit)
                  .getMessage();
          assertTrue(why.contains(name), why);
        } else {
          assertEquals(ROWS, reopened(copy), "padding");
        }
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
      }
      frame = next;
    }
    assertEquals(ROWS, reopened(copy));
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

  /** Returns the files of a log of several segments. The last segment is preallocated and empty. */
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
    assertEquals(last + 4, copy.size()); // DATABASE, FORCED, and a preallocated segment
    return copy;
  }

  @Test
  void shouldDetectMissingOrDamagedSegmentFiles() {
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
  void shouldRequireForcedFileUnlessLogWasClosed() {
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

  private void assertDamaged(String name, Map<String, byte[]> files) {
    String message =
        assertThrows(DamagedFilesException.class, () -> reopened(files), name).getMessage();
    assertTrue(message.contains("damaged") || message.contains("keep a copy"), message);
  }

  @Test
  void shouldIgnoreIncompleteLastSegment() {
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
  void shouldIgnoreStaleFramesBehindLogEnd() {
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

  /**
   * Changes the forced position in the header of a frame, as if the frame had been written together
   * with the frames before it.
   */
  private static void makeUnforced(byte[] bytes, int at, long forced) {
    RedoLayout.putLong(bytes, at + 32, forced);
    RedoLayout.putInt(bytes, at + 44, RedoLayout.sum(new CRC32C(), bytes, at, 44));
  }
}
