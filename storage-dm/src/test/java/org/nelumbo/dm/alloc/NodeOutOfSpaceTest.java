package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.local.ForwardingNodeMemory;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolFormat;

/** Tests memory nodes that cannot grow while other processes hold the memory that they need. */
class NodeOutOfSpaceTest {
  private static final int LINE = SizeClass.of(64);
  private static final long NODE_BYTES = 4 << 20;

  private final Cramped[] nodes = {new Cramped(), new Cramped()};
  private final LocalFabric fabric = new LocalFabric(nodes);
  private final Channel channel = fabric.openChannel(8192);
  private ChunkPool chunks;

  /** Memory that can be populated only up to an offset. */
  private static final class Cramped extends ForwardingNodeMemory {
    private long room = NODE_BYTES;
    private int asked;

    Cramped() {
      super(LocalMemory.reserve(NODE_BYTES));
    }

    @Override
    public boolean populate(long offset, long length) {
      asked++;
      return offset + length <= room;
    }
  }

  @BeforeEach
  void format() {
    PoolFormat.format(fabric, 7);
    chunks = new ChunkPool(fabric, () -> 0);
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  /** Allocates all lines, checks that they lie in populated memory, and returns their number. */
  private int exhaust(PoolAllocator allocator, Set<Long> lines) {
    int count = 0;
    for (long at = allocator.allocate(LINE); at != 0; at = allocator.allocate(LINE)) {
      assertTrue(lines.add(at));
      assertTrue(PoolAddress.offset(at) + 64 <= nodes[PoolAddress.node(at)].room);
      count++;
    }
    return count;
  }

  @Test
  void shouldAllocateRestWhenSpaceBecomesAvailable() {
    nodes[0].room = 1 << 20;
    nodes[1].room = 2 << 20;
    PoolAllocator allocator = chunks.newAllocator(channel);
    Set<Long> lines = new HashSet<>();
    exhaust(allocator, lines);
    assertTrue((3 << 20) / 64 - lines.size() <= 2 * (64 << 10) / 64, "chunks get small at the end");
    assertNotEquals(-1, chunks.nodeOutOfSpace());
    nodes[0].room = NODE_BYTES;
    assertTrue(exhaust(allocator, lines) > 0);
    assertEquals(1, chunks.nodeOutOfSpace());
    nodes[1].room = NODE_BYTES;
    exhaust(allocator, lines);
    assertEquals(
        2 * (ChunkPool.ordinaryBytes(NODE_BYTES) - 4096) / 64,
        lines.size(),
        "every line of both nodes");
    assertEquals(-1, chunks.nodeOutOfSpace());
  }

  @Test
  void shouldAllocateFromNodeWithSpace() {
    nodes[0].room = 4096;
    PoolAllocator allocator = chunks.newAllocator(channel);
    for (int i = 0; i < 1000; i++) {
      assertEquals(1, PoolAddress.node(allocator.allocate(LINE)));
    }
  }

  @Test
  void shouldNotRetryNodeWithoutSpaceForEachRow() {
    long row = 1;
    int home = new PartitionMap(2).node(1);
    nodes[home].room = 4096;
    PoolAllocator allocator = chunks.newAllocator(channel);
    for (int i = 0; i < 640; i++) {
      assertEquals(1 - home, PoolAddress.node(allocator.allocate(LINE, row)));
    }
    assertTrue(nodes[home].asked <= 2 + 2 * 640 / 64, "asked=" + nodes[home].asked);
    nodes[home].room = NODE_BYTES;
    int before = 0;
    while (PoolAddress.node(allocator.allocate(LINE, row)) != home) {
      before++;
    }
    assertTrue(before <= 64, "there was room for " + before);
  }
}
