package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolFormat;

class PartitionedAllocatorTest {
  private static final int NODES = 3;
  private static final int NODE_BYTES = 1 << 20;

  /** Number of lines of a node, not counting its reserve. */
  private static final int LINES = (int) (ChunkPool.ordinaryBytes(NODE_BYTES) - 4096) / 64;

  private static final int LINE = SizeClass.of(64);
  private static final int BLOCK = SizeClass.of(1024);
  private static final long ROW = 7 << 12 | 2;

  private final LocalFabric fabric = new LocalFabric(NODES, NODE_BYTES);
  private final Channel channel = fabric.openChannel(8192);
  private final PartitionMap map = new PartitionMap(NODES);
  private ChunkPool chunks;
  private long horizon;

  @BeforeEach
  void format() {
    PoolFormat.format(fabric, 7);
    chunks = new ChunkPool(fabric, () -> horizon);
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  private PoolAllocator allocator() {
    return chunks.newAllocator(channel);
  }

  private static int home(PartitionMap map, long lotusKey) {
    return map.node(PartitionMap.shard(lotusKey));
  }

  /**
   * Allocates lines for a row until one comes from another node; that line is the last of the list.
   */
  private static List<Long> fillHome(PoolAllocator allocator, long lotusKey, int node) {
    List<Long> blocks = new ArrayList<>();
    do {
      blocks.add(allocator.allocate(LINE, lotusKey));
    } while (PoolAddress.node(blocks.getLast()) == node);
    return blocks;
  }

  private PoolUsage account(PoolAllocator... allocators) {
    PoolUsage account = new PoolUsage();
    chunks.addTo(account);
    for (PoolAllocator allocator : allocators) {
      allocator.addTo(account);
    }
    return account;
  }

  @Test
  void shouldPutAllMemoryOfAShardOnItsNode() {
    PoolAllocator first = allocator();
    PoolAllocator second = allocator();
    for (int key = 1; key < 3000; key++) {
      PoolAllocator allocator = key % 2 == 0 ? first : second;
      long address = allocator.allocate(key % 3 == 0 ? BLOCK : LINE, key % 600);
      assertEquals(home(map, key % 600), PoolAddress.node(address), "key=" + key);
    }
  }

  @Test
  void shouldUseNextNodeOfShardWhenHomeNodeIsFull() {
    PoolAllocator allocator = allocator();
    int home = home(map, ROW);
    int second = map.next(PartitionMap.shard(ROW), home);
    List<Long> blocks = fillHome(allocator, ROW, home);
    assertEquals(LINES + 1, blocks.size(), "every line of its node, and one");
    assertEquals(second, PoolAddress.node(blocks.getLast()));
    for (int i = 0; i < 3; i++) {
      long more = allocator.allocate(LINE, ROW);
      assertEquals(second, PoolAddress.node(more));
    }
  }

  @Test
  void shouldFailOnlyWhenAllNodesAreFull() {
    PoolAllocator allocator = allocator();
    Set<Long> blocks = new HashSet<>();
    for (long a = allocator.allocate(LINE, ROW); a != 0; a = allocator.allocate(LINE, ROW)) {
      assertTrue(blocks.add(a));
    }
    assertEquals(NODES * LINES, blocks.size(), "every line of all nodes");
    assertEquals(PoolAddress.NULL, allocator.allocate(LINE));
    assertEquals(PoolAddress.NULL, allocator.allocate(BLOCK, ROW + 1));
    long some = blocks.iterator().next();
    allocator.free(some, LINE);
    assertEquals(some, allocator.allocate(LINE, ROW + 1), "from whatever node");
  }

  @Test
  void shouldReturnToHomeNodeWhenItHasSpace() {
    PoolAllocator allocator = allocator();
    int home = home(map, ROW);
    List<Long> blocks = fillHome(allocator, ROW, home);
    allocator.retire(blocks.getFirst(), LINE, 10);
    assertNotEquals(home, PoolAddress.node(allocator.allocate(LINE, ROW)));
    horizon = 11;
    assertEquals(blocks.getFirst(), allocator.allocate(LINE, ROW));
  }

  @Test
  void shouldMergeFreeBlocksBeforeUsingOtherNode() {
    PoolAllocator allocator = allocator();
    int home = home(map, ROW);
    List<Long> lines = fillHome(allocator, ROW, home);
    for (long block : lines) {
      allocator.free(block, LINE);
    }
    for (int i = 0; i < LINES / 16 - 8; i++) {
      assertEquals(home, PoolAddress.node(allocator.allocate(BLOCK, ROW)), "block " + i);
    }
    assertTrue(account(allocator).isBalanced(), account(allocator)::toString);
  }

  @Test
  void shouldReturnFreedBlocksToTheirNode() {
    PoolAllocator loader = allocator();
    PoolAllocator collector = allocator();
    int home = home(map, ROW);
    for (long block : fillHome(loader, ROW, home)) {
      collector.free(block, LINE);
    }
    collector.close();
    for (int i = 0; i < 10_000; i++) {
      assertEquals(home, PoolAddress.node(loader.allocate(LINE, ROW)), "line " + i);
    }
  }

  @Test
  void shouldFindTheFreeMemoryOfEachNodeAtAnAttach() {
    PoolAllocator before = allocator();
    int home = home(map, ROW);
    List<Long> lines = fillHome(before, ROW, home);
    MarkBitmap live = new MarkBitmap(fabric, channel);
    for (int i = 0; i < lines.size(); i += 2) {
      assertTrue(live.mark(lines.get(i), LINE));
    }
    chunks = new ChunkPool(fabric, () -> horizon);
    chunks.restore(live);
    PoolAllocator after = allocator();
    List<Long> again = fillHome(after, ROW, home);
    assertEquals((lines.size() - 1) / 2 + 1, again.size(), "what was not in use, and one");
    assertTrue(account(after).isBalanced(), account(after)::toString);
    assertEquals(account(after).takenBytes(), chunks.takenBytes());
  }

  @Test
  void shouldAllocateUnkeyedBlocksOnNodeOfLastRow() {
    PoolAllocator allocator = allocator();
    for (long key = 1; key < 200; key++) {
      int node = PoolAddress.node(allocator.allocate(LINE, key));
      assertEquals(node, PoolAddress.node(allocator.allocate(BLOCK)), "key=" + key);
    }
  }

  @Test
  void shouldSpreadManyUnkeyedBlocksOverAllNodes() {
    PoolAllocator allocator = allocator();
    int[] blocks = new int[NODES];
    for (int i = 0; i < 1200; i++) {
      blocks[PoolAddress.node(allocator.allocate(BLOCK))]++;
    }
    for (int node = 0; node < NODES; node++) {
      assertTrue(blocks[node] > 250, "node=" + node + " blocks=" + blocks[node]);
    }
  }

  @Test
  void shouldUseChunkAllocatorOnSingleNode() {
    try (LocalFabric one = new LocalFabric(1 << 20);
        Channel mine = one.openChannel(8192)) {
      PoolFormat.format(one, 7);
      PoolAllocator allocator = new ChunkPool(one, () -> 0).newAllocator(mine);
      assertInstanceOf(ChunkAllocator.class, allocator);
    }
  }
}
