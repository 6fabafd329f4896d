package org.nelumbo.dm.fabric.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.FabricConformanceTest;
import org.nelumbo.dm.fabric.PoolAddress;

class LocalFabricTest extends FabricConformanceTest {
  @Override
  protected Fabric openFabric(int nodes, long nodeBytes) {
    return new LocalFabric(nodes, nodeBytes);
  }

  @Test
  void shouldNotBeRemote() {
    assertFalse(fabric.isRemote());
  }

  @Test
  void shouldKeepMemoryUntilTheLastChannelIsClosed() {
    LocalFabric pool = new LocalFabric(1 << 20);
    Channel first = pool.openChannel(64);
    pool.close();
    pool.close();
    first.writeLong(PoolAddress.of(0, 64), 9);
    assertEquals(9, readLong(first, PoolAddress.of(0, 64)));
    assertThrows(IllegalStateException.class, () -> pool.openChannel(64));
    first.close();
  }

  @Test
  void shouldSayWhyMemoryCannotBeReserved() {
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
}
