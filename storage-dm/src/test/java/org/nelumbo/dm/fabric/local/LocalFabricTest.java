package org.nelumbo.dm.fabric.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricConformanceTest;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.dm.pool.PoolAddress;

class LocalFabricTest extends FabricConformanceTest {
  private static final Path STATM = Path.of("/proc/self/statm");

  @Override
  protected Fabric openFabric(int nodes, long nodeBytes) {
    return new LocalFabric(nodes, nodeBytes);
  }

  @Test
  void shouldNotBeRemote() {
    assertFalse(fabric.isRemote());
  }

  @Test
  void shouldKeepMemoryUntilLastChannelIsClosed() {
    LocalFabric pool = new LocalFabric(1 << 20);
    Channel first = pool.openChannel(64);
    pool.close();
    pool.close();
    first.writeLong(PoolAddress.of(0, 64), 9);
    assertEquals(9, readLong(first, PoolAddress.of(0, 64)));
    assertThrows(FabricException.class, () -> pool.openChannel(64));
    first.close();
  }

  @Test
  void shouldReadIntoArray() {
    Channel channel = fabric.openChannel(64);
    assertTrue(channel.canReadArray());
    channel.writeLong(PoolAddress.of(0, 64), 0x0807060504030201L);
    byte[] target = new byte[8];
    channel.readArray(PoolAddress.of(0, 65), target, 2, 5);
    channel.flush();
    assertArrayEquals(new byte[] {0, 0, 2, 3, 4, 5, 6, 0}, target);
    long end = PoolAddress.of(0, fabric.nodeBytes(0) - 4);
    assertThrows(OutsidePoolException.class, () -> channel.readArray(end, target, 0, 5));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> channel.readArray(PoolAddress.of(0, 64), target, 4, 5));
  }

  @Test
  void shouldReportBytesOfFailedReservation() {
    RuntimeException e =
        assertThrows(IllegalStateException.class, () -> new LocalFabric(256, 1L << 40));
    assertTrue(e.getMessage().contains("bytes=1099511627776"), e.getMessage());
  }

  @Test
  void shouldRefuseSizesThatMakeNoPool() {
    assertThrows(IllegalArgumentException.class, () -> new LocalFabric(0, 4096));
    assertThrows(IllegalArgumentException.class, () -> new LocalFabric(257, 4096));
    assertThrows(IllegalArgumentException.class, () -> new LocalFabric(0));
    assertThrows(IllegalArgumentException.class, () -> new LocalFabric((1L << 40) + 1));
  }

  /** Each connection has a staging buffer of 1 MB, most of which use only a few kilobytes. */
  @Test
  void shouldPopulateStagingBuffersLazily() throws IOException {
    assumeTrue(Files.exists(STATM));
    long before = residentBytes();
    List<Channel> channels = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      Channel channel = fabric.openChannel(1 << 20);
      assertEquals(0, channel.staging().get(ValueLayout.JAVA_LONG, (1 << 20) - 8));
      channels.add(channel);
    }
    long grown = residentBytes() - before;
    channels.forEach(Channel::close);
    assertTrue(grown < 128L << 20, () -> "grown=" + grown);
  }

  private static long residentBytes() throws IOException {
    return 4096 * Long.parseLong(Files.readString(STATM).split(" ", -1)[1]);
  }
}
