package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolFormat;

class MarkBitmapTest {
  private static final int NODE_BYTES = 1 << 20;
  private static final int LINE = SizeClass.of(64);

  private final LocalFabric fabric = new LocalFabric(2, NODE_BYTES);
  private final Channel channel = fabric.openChannel(8192);

  @BeforeEach
  void handOutEverything() {
    PoolFormat.format(fabric, 7);
    PoolAllocator allocator = new ChunkPool(fabric, () -> 0).newAllocator(channel);
    long block = allocator.allocate(LINE);
    while (block != PoolAddress.NULL) {
      block = allocator.allocate(LINE);
    }
    do {
      block = allocator.allocateReserved(LINE);
    } while (block != PoolAddress.NULL);
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  private static List<String> gaps(MarkBitmap map) {
    List<String> gaps = new ArrayList<>();
    for (int node = 0; node < map.nodeCount(); node++) {
      map.gaps(
          node, (start, end) -> gaps.add(Long.toHexString(start) + "-" + Long.toHexString(end)));
    }
    return gaps;
  }

  @Test
  void shouldMarkLastBytesOfNode() {
    MarkBitmap map = new MarkBitmap(fabric, channel);
    assertEquals(NODE_BYTES, map.limit(1));
    long last = PoolAddress.of(1, NODE_BYTES - 64);
    assertFalse(map.isLive(last));
    assertTrue(map.mark(last, LINE));
    assertTrue(map.isLive(last));
    assertFalse(map.mark(last, LINE), "it is in use");
    assertFalse(map.mark(PoolAddress.of(1, NODE_BYTES - 32), LINE), "it ends outside");
    assertEquals(64, map.liveBytes());
  }

  @Test
  void shouldListGapsBetweenUsedBlocks() {
    MarkBitmap map = new MarkBitmap(fabric, channel);
    long middle = PoolAddress.of(1, NODE_BYTES / 2);
    long node1 = PoolAddress.of(1, 0);
    assertTrue(map.mark(middle, LINE));
    assertEquals(
        List.of(
            "1000-100000",
            Long.toHexString(node1 + 0x1000) + "-" + Long.toHexString(middle),
            Long.toHexString(middle + 64) + "-" + Long.toHexString(node1 + NODE_BYTES)),
        gaps(map));
  }
}
