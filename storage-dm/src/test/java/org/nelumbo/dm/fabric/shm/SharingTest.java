package org.nelumbo.dm.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.fabric.local.WriteNote;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;

/** Tests real processes that share a pool in shared files, and that are killed. */
@Timeout(120)
class SharingTest {
  static final int WRITE_BYTES = WriteNote.BYTES_MAX;
  private static final int ROUNDS = 8;
  private static final long LEASE_MILLIS = 1000;
  private static final PeerId SELF = new PeerId(0, 1);

  @TempDir private Path directory;
  private final List<Process> started = new ArrayList<>();

  private Path path() {
    return directory.resolve("pool");
  }

  private Fabric open(long patienceMillis) {
    return SharingProcess.open(path(), LEASE_MILLIS, patienceMillis);
  }

  private Fabric openShared() {
    Fabric pool = open(0);
    pool.sharing().share();
    return pool;
  }

  private record Other(Process process, BufferedReader out) {
    /**
     * Waits until the process has entered the pool; returns its tenant id, and "true" if the pool
     * is shared.
     */
    String[] awaitEntered() throws IOException {
      return out.readLine().split(" ");
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }

  private Other start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SharingProcess.class.getName(),
                path().toString(),
                Long.toString(LEASE_MILLIS),
                Integer.toString(started.size() % 2 * SharingProcess.BLOCKS))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    started.add(process);
    return new Other(process, process.inputReader(StandardCharsets.US_ASCII));
  }

  @AfterEach
  void killAll() {
    started.forEach(Process::destroyForcibly);
  }

  private static void assertWhole(Channel channel) {
    for (int block = 0; block < SharingProcess.ALL_BLOCKS; block++) {
      channel.read(SharingProcess.block(block), 0, WRITE_BYTES);
      channel.flush();
      byte[] found = channel.staging().asSlice(0, WRITE_BYTES).toArray(ValueLayout.JAVA_BYTE);
      byte[] whole = new byte[WRITE_BYTES];
      Arrays.fill(whole, found[0]);
      assertArrayEquals(whole, found, "a WRITE of the dead is there in part block=" + block);
    }
  }

  @Test
  void shouldCompleteWritesOfFailedProcess() throws Exception {
    try (Fabric pool = openShared();
        Channel channel = pool.openChannel(WRITE_BYTES)) {
      SharedPool sharing = pool.sharing();
      for (int round = 0; round < ROUNDS; round++) {
        Other other = start();
        long id = Long.parseLong(other.awaitEntered()[0]);
        assertTrue(find(sharing, id).isConnected());
        int first = round % 2 * SharingProcess.BLOCKS;
        while (word(channel, first) == 0) {
          LockSupport.parkNanos(100_000);
        }
        other.kill();
        assertFalse(find(sharing, id).isConnected());
        assertTrue(find(sharing, id).silentNanos() > sharing.leaseNanos(), "it is dead at once");
        sharing.fence(id);
        sharing.fence(id);
        assertWhole(channel);
        assertEquals(1, sharing.tenants().size());
        clear(channel, first);
      }
      sharing.ownAlone();
    }
    assertFalse(Files.exists(directory.resolve("pool.tenants")), "the last one takes it away");
  }

  private static void clear(Channel channel, int block) {
    channel.staging().asSlice(0, WRITE_BYTES).fill((byte) 0);
    channel.write(SharingProcess.block(block), 0, WRITE_BYTES);
    channel.flush();
  }

  private static long word(Channel channel, int block) {
    channel.read(SharingProcess.block(block), 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  private static PoolTenant find(SharedPool sharing, long id) {
    return sharing.tenants().stream().filter(each -> each.id() == id).findAny().orElseThrow();
  }

  /** A stopped process is killed before it is fenced, so that it cannot write afterwards. */
  @Test
  void shouldKillProcessWithMissedHeartbeats() throws Exception {
    try (Fabric pool = openShared();
        Channel channel = pool.openChannel(WRITE_BYTES)) {
      Other other = start();
      long id = Long.parseLong(other.awaitEntered()[0]);
      long pid = other.process.pid();
      assertEquals(0, new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor());
      assertTrue(find(pool.sharing(), id).isConnected());
      assertTrue(other.process.waitFor(60, TimeUnit.SECONDS), "the heartbeats' thread kills it");
      pool.sharing().fence(id);
      assertWhole(channel);
      new ProcessBuilder("kill", "-CONT", Long.toString(pid)).start().waitFor();
    }
  }

  @Test
  void shouldKillFencedProcess() throws Exception {
    try (Fabric pool = openShared();
        Channel channel = pool.openChannel(WRITE_BYTES)) {
      Other other = start();
      pool.sharing().fence(Long.parseLong(other.awaitEntered()[0]));
      assertTrue(other.process.waitFor(10, TimeUnit.SECONDS));
      assertWhole(channel);
    }
  }

  @Test
  void shouldBringMessages() throws Exception {
    try (Fabric pool = openShared();
        PeerNetwork peers = pool.sharing().openPeers(SELF)) {
      Other other = start();
      other.awaitEntered();
      LinkedBlockingQueue<byte[]> replies = new LinkedBlockingQueue<>();
      peers.listen(
          (from, message) -> {
            byte[] bytes = new byte[message.remaining()];
            message.get(bytes);
            assertEquals(SharingProcess.SELF, from);
            replies.add(bytes);
          });
      for (int length = 1; length <= PeerNetwork.MESSAGE_BYTES_MAX; length += 111) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) length);
        assertTrue(peers.send(SharingProcess.SELF, ByteBuffer.wrap(bytes)));
        assertArrayEquals(bytes, replies.take());
      }
      assertFalse(peers.send(new PeerId(1, 6), ByteBuffer.allocate(1)), "one that has ended");
      other.kill();
      pool.sharing().fence(find(pool.sharing(), other).id());
      assertFalse(peers.send(SharingProcess.SELF, ByteBuffer.allocate(1)));
    }
  }

  private static PoolTenant find(SharedPool sharing, Other other) {
    return sharing.tenants().stream()
        .filter(each -> each.name().equals("process " + other.process.pid()))
        .findAny()
        .orElseThrow();
  }

  /**
   * A waiting process gets the pool exclusively when the owner, which does not share it, is killed.
   */
  @Test
  void shouldTakeOverAfterExclusiveOwnerFails() throws Exception {
    Other first = start();
    assertEquals("false", first.awaitEntered()[1]);
    CompletableFuture<Fabric> second = CompletableFuture.supplyAsync(() -> open(60_000));
    while (!Files.exists(directory.resolve("pool.tenants"))) {
      LockSupport.parkNanos(100_000);
    }
    assertFalse(second.isDone());
    first.kill();
    try (Fabric pool = second.get();
        Channel channel = pool.openChannel(WRITE_BYTES)) {
      assertFalse(pool.sharing().isShared());
      assertEquals(0, channel.mark());
    }
  }

  /**
   * Formats the pool. Otherwise lost WRITEs would not be detected, since an incomplete pool is
   * formatted again.
   */
  private static void format(Fabric pool) {
    try (Channel channel = pool.openChannel(Long.BYTES)) {
      channel.writeLong(
          PoolAddress.of(0, SuperblockLayout.NODE_BYTES_OFFSET), SharingProcess.NODE_BYTES);
      channel.writeLong(PoolAddress.of(0, SuperblockLayout.MAGIC_OFFSET), SuperblockLayout.MAGIC);
      channel.flush();
    }
  }

  @Test
  void shouldCompleteWritesOfAllFailedProcesses() throws Exception {
    Fabric first = openShared();
    format(first);
    Other one = start();
    Other other = start();
    one.awaitEntered();
    other.awaitEntered();
    PoolInUseException e = assertThrows(PoolInUseException.class, first.sharing()::ownAlone);
    assertTrue(e.getMessage().contains("process " + one.process.pid()), e.getMessage());
    first.close();
    one.kill();
    other.kill();
    try (Fabric pool = open(0);
        Channel channel = pool.openChannel(WRITE_BYTES)) {
      assertFalse(pool.sharing().isShared());
      assertWhole(channel);
    }
    assertFalse(Files.exists(directory.resolve("pool.tenants")));
  }

  /** Members do not need the name of the file, but a joining process would create another file. */
  @Test
  void shouldNotAdmitProcessAfterFileIsDeleted() throws Exception {
    try (Fabric pool = openShared();
        Channel channel = pool.openChannel(WRITE_BYTES)) {
      Other other = start();
      long id = Long.parseLong(other.awaitEntered()[0]);
      Files.delete(directory.resolve("pool.tenants"));
      Other third = start();
      while (!Files.exists(directory.resolve("pool.tenants"))) {
        LockSupport.parkNanos(100_000);
      }
      assertEquals(2, pool.sharing().tenants().size());
      assertFalse(third.out.ready(), "it is not let in");
      third.kill();
      other.kill();
      pool.sharing().fence(id);
      assertWhole(channel);
    }
  }

  @Test
  void shouldForgetTheFileOfAPoolThatWasRemoved() throws Exception {
    try (Fabric old = openShared()) {
      Files.delete(path());
      try (Fabric pool = open(0)) {
        assertFalse(pool.sharing().isShared(), "it is another one");
        assertEquals(1, old.sharing().tenants().size());
      }
    }
  }

  /**
   * The engine has stopped: this process writes nothing to the pool, and the other processes treat
   * it as failed.
   */
  @Test
  void shouldStopAccessingLostPool() throws Exception {
    Fabric pool = openShared();
    Channel channel = pool.openChannel(64);
    pool.lose(new IllegalStateException("stopped"));
    assertThrows(FabricException.class, () -> channel.writeLong(SharingProcess.block(0), 1));
    assertThrows(FabricException.class, () -> channel.read(SharingProcess.block(0), 0, 8));
    assertThrows(FabricException.class, pool.sharing()::tenants);
    channel.close();
    pool.close();
    Other other = start();
    assertEquals("false", other.awaitEntered()[1]);
    PoolOpenException e = assertThrows(PoolOpenException.class, () -> open(0));
    assertTrue(e.getMessage().contains("has not admitted this one"), e.getMessage());
  }
}
