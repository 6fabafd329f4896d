package org.nelumbo.dm.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.fabric.shm.SharedMemory.Wanted;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricConformanceTest;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolOwner;

class SharedMemoryTest extends FabricConformanceTest {
  private static final Wanted ANYTHING = new Wanted(0, 0);
  private static final long SMALL = 1 << 20;

  @TempDir private Path directory;
  private int pools;

  @Override
  protected Fabric openFabric(int nodes, long nodeBytes) {
    Path path = directory.resolve("kit-" + pools++);
    return SharedMemory.open(path, new Wanted(nodes * nodeBytes, nodes), 0);
  }

  private Fabric open(String name) {
    return SharedMemory.open(directory.resolve(name), ANYTHING, SMALL);
  }

  private String refusal(String name, Wanted wanted) {
    return assertThrows(
            PoolOpenException.class,
            () -> SharedMemory.open(directory.resolve(name), wanted, SMALL).close())
        .getMessage();
  }

  private void makePool(String name, int nodes) {
    try (Fabric pool =
        SharedMemory.open(directory.resolve(name), new Wanted(nodes * SMALL, nodes), 0)) {
      PoolFormat.format(pool, name.hashCode());
      PoolFormat.complete(pool, 4096, 8192);
    }
  }

  @Test
  void shouldKeepDataAfterClose() {
    makePool("kept", 1);
    try (Fabric pool = open("kept");
        Channel mine = pool.openChannel(64)) {
      assertEquals(SMALL, pool.nodeBytes(0));
      assertTrue(PoolFormat.isComplete(pool));
      assertEquals(4096, PoolFormat.catalogueHashRoot(pool));
      assertEquals(8192, PoolFormat.catalogueOrderedRoot(pool));
      mine.writeLong(PoolAddress.of(0, SMALL - 8), 7);
    }
    try (Fabric pool = open("kept");
        Channel mine = pool.openChannel(64)) {
      assertEquals(7, readLong(mine, PoolAddress.of(0, SMALL - 8)));
    }
  }

  @Test
  void shouldBeSparse() throws IOException {
    try (Fabric pool = SharedMemory.open(directory.resolve("sparse"), new Wanted(1L << 34, 1), 0)) {
      assertEquals(1L << 34, pool.nodeBytes(0));
    }
    Process process =
        new ProcessBuilder("du", "-k", directory.resolve("sparse").toString()).start();
    String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String kilobytes = line.substring(0, line.indexOf('\t'));
    assertTrue(Long.parseLong(kilobytes) < 1024, kilobytes);
  }

  @Test
  void shouldRefuseASecondOpenerInThisProcess() {
    try (Fabric pool = open("once")) {
      assertTrue(refusal("once", ANYTHING).contains("open in this process already"));
      assertEquals(1, pool.nodeCount());
    }
    open("once").close();
  }

  @Test
  void shouldHoldTheFileAsLongAsAChannelIsOpen() {
    Fabric pool = open("held");
    Channel mine = pool.openChannel(64);
    pool.close();
    mine.writeLong(PoolAddress.of(0, 8192), 3);
    assertTrue(refusal("held", ANYTHING).contains("open in this process already"));
    mine.close();
    open("held").close();
  }

  @Test
  void shouldRejectForeignFilesWithoutChangingThem() throws IOException {
    String letter = "Dear reader, ".repeat(1000);
    Files.writeString(directory.resolve("letter"), letter);
    assertTrue(refusal("letter", ANYTHING).contains("not a Nelumbo memory pool"));
    assertEquals(letter, Files.readString(directory.resolve("letter")));
    Files.write(directory.resolve("zeros"), new byte[10_000]);
    assertTrue(refusal("zeros", ANYTHING).contains("not empty"));
    assertArrayEquals(new byte[10_000], Files.readAllBytes(directory.resolve("zeros")));
  }

  @Test
  void shouldRefuseATruncatedFile() throws IOException {
    makePool("cut", 1);
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve("cut").toFile(), "rw")) {
      file.setLength(SMALL - 4096);
    }
    String message = refusal("cut", ANYTHING);
    assertTrue(message.contains("truncated") && message.contains("restore"), message);
  }

  @Test
  void shouldRejectDifferentSizeOrNodeCount() {
    makePool("two", 2);
    assertTrue(refusal("two", new Wanted(8 * SMALL, 0)).contains("omit memory="));
    assertTrue(refusal("two", new Wanted(0, 3)).contains("omit nodes="));
    try (Fabric pool = open("two")) {
      assertEquals(2, pool.nodeCount());
      assertTrue(PoolFormat.isComplete(pool));
    }
  }

  @Test
  void shouldRefuseNodesThatDoNotBelongTogether() throws IOException {
    makePool("a", 2);
    makePool("b", 2);
    swap("a/node-1", "b/node-1");
    assertRefused("a", "belongs to another pool");
    swap("a/node-1", "b/node-1");
    swap("a/node-0", "a/node-1");
    assertRefused("a", "name the nodes in order");
    swap("a/node-0", "a/node-1");
    Files.delete(directory.resolve("a/node-1"));
    assertRefused("a", "the pool has 2 memory nodes, 1 were named");
    try (Fabric pool = SharedMemory.open(directory.resolve("b/node-0"), ANYTHING, SMALL)) {
      assertThrows(PoolOpenException.class, () -> PoolFormat.isComplete(pool));
    }
    Files.createDirectory(directory.resolve("c"));
    Files.move(directory.resolve("b/node-1"), directory.resolve("c/node-0"));
    assertRefused("c", "the pool has 2 memory nodes, 1 were named");
  }

  private void assertRefused(String name, String why) {
    try (Fabric pool = open(name)) {
      String message =
          assertThrows(PoolOpenException.class, () -> PoolFormat.isComplete(pool)).getMessage();
      assertTrue(message.contains(why), message);
    }
  }

  private void swap(String one, String other) throws IOException {
    Path aside = directory.resolve("aside");
    Files.move(directory.resolve(one), aside);
    Files.move(directory.resolve(other), directory.resolve(one));
    Files.move(aside, directory.resolve(other));
  }

  @Test
  void shouldRejectUnknownFormatOrLayoutParameters() {
    makePool("old", 1);
    try (Fabric pool = open("old");
        Channel mine = pool.openChannel(64)) {
      mine.writeLong(
          PoolAddress.of(0, SuperblockLayout.FORMAT_OFFSET), PoolFormat.formatWord(1, 0, 1));
      mine.flush();
      String message =
          assertThrows(PoolOpenException.class, () -> PoolFormat.isComplete(pool)).getMessage();
      assertTrue(message.contains("has pool format 1, this version reads format 4"), message);
      mine.writeLong(
          PoolAddress.of(0, SuperblockLayout.FORMAT_OFFSET),
          PoolFormat.formatWord(SuperblockLayout.FORMAT, 0, 1));
      mine.writeLong(PoolAddress.of(0, SuperblockLayout.PARAMETERS_OFFSET), 1);
      mine.flush();
      message =
          assertThrows(PoolOpenException.class, () -> PoolFormat.isComplete(pool)).getMessage();
      assertTrue(message.contains("other layout parameters"), message);
    }
  }

  @Test
  void shouldReopenIncompletePool() {
    try (Fabric pool = open("half")) {
      assertFalse(PoolFormat.isComplete(pool));
    }
    try (Fabric pool = open("half")) {
      PoolFormat.format(pool, 5);
      assertFalse(PoolFormat.isComplete(pool));
    }
    try (Fabric pool = open("half")) {
      assertFalse(PoolFormat.isComplete(pool));
    }
  }

  @Test
  void shouldCountOwnersAndReportCleanDeparture() {
    try (Fabric pool = open("owned")) {
      assertTrue(PoolOwner.hasLeft(pool));
      assertEquals(1, PoolOwner.take(pool, "me", 17));
      assertFalse(PoolOwner.hasLeft(pool));
      assertEquals(2, PoolOwner.take(pool, "you", 18));
      PoolOwner.leave(pool);
      assertTrue(PoolOwner.hasLeft(pool));
    }
  }
}
