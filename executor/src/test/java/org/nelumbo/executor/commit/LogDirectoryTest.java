package org.nelumbo.executor.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.PoolFormat;

class LogDirectoryTest {
  private final LogDirectory directory = new LogDirectory(new ComputeNodeEntry(0, 1));

  /** A compute node that opens a full pool has no directory when its first session deletes. */
  @Test
  void shouldEnterALogThatMakesRoomInAFullPool() {
    try (LocalFabric fabric = new LocalFabric(1, 1 << 20);
        Channel channel = fabric.openChannel(16 << 10)) {
      PoolFormat.format(fabric, 7);
      try (PoolAllocator allocator = new ChunkPool(fabric, () -> 0).newAllocator(channel)) {
        while (allocator.allocate(LogLayout.BLOCK_CLASS) != PoolAddress.NULL) {}
        long log = allocator.allocateReserved(LogLayout.BLOCK_CLASS);
        assertNotEquals(PoolAddress.NULL, log);
        assertEquals(-1, directory.enter(channel, allocator, log, false));
        int place = directory.enter(channel, allocator, log, true);
        assertTrue(place >= 0, "place=" + place);
        directory.leave(channel, place);
        directory.close(channel, allocator);
      }
    }
  }
}
