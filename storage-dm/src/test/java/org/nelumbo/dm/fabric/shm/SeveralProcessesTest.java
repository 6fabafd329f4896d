package org.nelumbo.dm.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.fabric.shm.SharedMemory.Wanted;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolOpenException;

/** Tests one pool with real second processes. */
@Timeout(180)
class SeveralProcessesTest {
  private static final int ROUNDS = 200_000;

  @TempDir private Path directory;

  private Process start(long rounds) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                CountingProcess.class.getName(),
                directory.resolve("pool").toString(),
                Long.toString(rounds))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals('b', process.getInputStream().read(), "the process did not begin");
    return process;
  }

  private Fabric open() {
    return SharedMemory.openShared(
        directory.resolve("pool"),
        new Wanted(CountingProcess.NODE_BYTES, 1),
        CountingProcess.NODE_BYTES);
  }

  private static long word(Channel channel, long address) {
    channel.read(address, 0, 8);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  @Test
  void shouldAddAndSwapAtomicallyAcrossProcesses() throws Exception {
    Process one = start(ROUNDS);
    Process other = start(ROUNDS);
    assertTrue(one.waitFor(80, TimeUnit.SECONDS) && other.waitFor(80, TimeUnit.SECONDS));
    assertEquals(0, one.exitValue() | other.exitValue());
    try (Fabric pool = open();
        Channel channel = pool.openChannel(64)) {
      assertEquals(2 * ROUNDS, word(channel, CountingProcess.ADDED));
      assertEquals(2 * ROUNDS, word(channel, CountingProcess.SWAPPED));
    }
  }

  @Test
  void shouldContinueAfterProcessIsKilled() throws Exception {
    Process killed = start(0);
    try (Fabric pool = open();
        Channel channel = pool.openChannel(64)) {
      while (word(channel, CountingProcess.SWAPPED) < 1000) {
        LockSupport.parkNanos(100_000);
      }
      killed.destroyForcibly().waitFor();
      long added = word(channel, CountingProcess.ADDED);
      long swapped = word(channel, CountingProcess.SWAPPED);
      assertTrue(added >= swapped && added <= swapped + 1, added + " " + swapped);
      channel.fetchAndAdd(CountingProcess.ADDED, 1, 0);
      assertEquals(added + 1, word(channel, CountingProcess.ADDED));
    }
  }

  @Test
  void shouldLockPoolUntilOwnerProcessEnds() throws Exception {
    Process holder = start(0);
    Path path = directory.resolve("pool");
    PoolOpenException e =
        assertThrows(
            PoolOpenException.class,
            () -> SharedMemory.open(path, new Wanted(0, 0), CountingProcess.NODE_BYTES));
    assertTrue(e.getMessage().contains("in use by another process"), e.getMessage());
    holder.destroyForcibly().waitFor();
    // The pool was never formatted, so the file does not contain its size.
    SharedMemory.open(path, new Wanted(0, 0), CountingProcess.NODE_BYTES).close();
  }
}
