package org.nelumbo.dm.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.FreshHeader;

/** Tests memory that outlives a killed process. */
class KeptMemoryTest {
  private static final long BYTES = 1 << 20;
  private static final long WORD = PoolAddress.of(0, BYTES / 2);

  @TempDir private Path directory;

  private Path place;
  private Path data;

  @BeforeEach
  void makeDirectories() throws IOException {
    place = Files.createDirectory(directory.resolve("place"));
    data = Files.createDirectory(directory.resolve("data"));
  }

  private KeptMemory open(long bytes, boolean isWanted) throws IOException {
    return KeptMemory.open(place, data, bytes, () -> isWanted);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.toList();
    }
  }

  /** Writes a word and closes the memory, as a process that ends. */
  private void leave() throws IOException {
    try (LocalFabric fabric = fabric(open(BYTES, true));
        Channel channel = fabric.openChannel(64)) {
      channel.writeLong(WORD, 7);
      channel.flush();
    }
  }

  private static LocalFabric fabric(NodeMemory memory) {
    return new LocalFabric(new NodeMemory[] {memory});
  }

  private static long word(Channel channel, long address) {
    channel.read(address, 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  private static void assertWord(long expected, KeptMemory memory) {
    try (LocalFabric fabric = fabric(memory);
        Channel channel = fabric.openChannel(64)) {
      assertEquals(expected, word(channel, WORD));
    }
  }

  @Test
  void shouldReopenRetainedMemory() throws IOException {
    leave();
    KeptMemory memory = open(BYTES, true);
    assertEquals(BYTES, memory.leftBytes());
    assertWord(7, memory);
    assertEquals(List.of(memory.path()), files());
  }

  @Test
  void shouldBeRemovedIfItIsNotWantedWhenItEnds() throws IOException {
    AtomicBoolean isWanted = new AtomicBoolean(true);
    KeptMemory memory = KeptMemory.open(place, data, BYTES, isWanted::get);
    isWanted.set(false);
    memory.release();
    assertEquals(List.of(), files());
  }

  @Test
  void shouldRemoveMemoryOfDeletedNodeDirectories() throws IOException {
    leave();
    Path gone = Files.createDirectory(directory.resolve("node to go"));
    KeptMemory abandoned = KeptMemory.open(place, gone, BYTES, () -> true);
    Files.delete(gone);
    Path other = Files.createDirectory(directory.resolve("other"));
    KeptMemory.open(place, other, BYTES, () -> false).release();
    assertEquals(2, files().size(), "one is held by a process, the other one's directory is there");
    abandoned.release();
    KeptMemory.open(place, other, BYTES, () -> false).release();
    assertEquals(1, files().size());
    assertWord(7, open(BYTES, true));
  }

  @Test
  void shouldFindTheMemoryOfADirectoryWithALongName() throws IOException {
    data = Files.createDirectories(data.resolve("d".repeat(200)).resolve("d".repeat(200)));
    leave();
    assertWord(7, open(BYTES, true));
  }

  @Test
  void shouldRestrictFileToItsOwner() throws IOException {
    KeptMemory memory = open(BYTES, true);
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(files().getFirst())));
    memory.release();
  }

  @Test
  void shouldDiscardMemoryIfUnwantedOrResized() throws IOException {
    leave();
    KeptMemory unwanted = open(BYTES, false);
    assertEquals(0, unwanted.leftBytes());
    assertWord(0, unwanted);
    leave();
    KeptMemory larger = open(2 * BYTES, true);
    assertEquals(0, larger.leftBytes());
    assertWord(0, larger);
  }

  @Test
  void shouldRefuseMemoryInUse() throws IOException {
    KeptMemory memory = open(BYTES, true);
    IOException refused = assertThrows(IOException.class, () -> open(BYTES, true));
    assertTrue(refused.getMessage().contains("open in this process"), refused.getMessage());
    assertEquals(1, files().size());
    memory.release();
  }

  @Test
  void shouldRejectWorldReadableFilesAndLinks() throws IOException {
    leave();
    Path file = files().getFirst();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    IOException open = assertThrows(IOException.class, () -> open(BYTES, true));
    assertTrue(open.getMessage().contains("others may read it"), open.getMessage());
    Files.delete(file);
    Path target = Files.createFile(directory.resolve("target"));
    Files.createSymbolicLink(file, target);
    assertThrows(IOException.class, () -> open(BYTES, true));
    assertEquals(0, Files.size(target));
  }

  @Test
  void shouldExplainUnavailableMemory() {
    Path missing = directory.resolve("missing");
    IOException none =
        assertThrows(IOException.class, () -> KeptMemory.open(missing, data, BYTES, () -> true));
    assertEquals("there is no directory " + missing, none.getMessage());
    IOException full = assertThrows(IOException.class, () -> open(1L << 50, true));
    assertTrue(full.getMessage().contains(" has room for "), full.getMessage());
  }

  @Test
  void shouldRemoveRetainedMemoryWithoutSpaceForNew() throws IOException {
    leave();
    assertThrows(IOException.class, () -> open(1L << 50, true));
    assertEquals(List.of(), files());
  }

  @Test
  void shouldWriteFreshHeaderAndClearMemoryPiecewise() throws IOException {
    leave();
    long left = PoolAddress.of(0, NodeHeaderLayout.LEFT_OFFSET);
    KeptMemory memory = open(BYTES, true);
    try (LocalFabric fabric = fabric(memory);
        Channel channel = fabric.openChannel(NodeHeaderLayout.LENGTH)) {
      channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.MAGIC_OFFSET), NodeHeaderLayout.MAGIC);
      FreshHeader.write(channel, memory.leftBytes(), 5);
      assertEquals(0, word(channel, PoolAddress.of(0, NodeHeaderLayout.MAGIC_OFFSET)));
      assertEquals(5, word(channel, PoolAddress.of(0, NodeHeaderLayout.INCARNATION_OFFSET)));
      assertEquals(7, word(channel, WORD));
      channel.fetchAndAdd(left, -(BYTES / 4), 0);
      channel.flush();
      assertEquals(3 * BYTES / 4, word(channel, left));
      assertEquals(7, word(channel, WORD));
      channel.fetchAndAdd(left, Long.MIN_VALUE, 0);
      channel.flush();
      assertEquals(0, word(channel, WORD));
      assertEquals(NodeHeaderLayout.LENGTH, word(channel, left));
      assertEquals(5, word(channel, PoolAddress.of(0, NodeHeaderLayout.INCARNATION_OFFSET)));
    }
  }
}
