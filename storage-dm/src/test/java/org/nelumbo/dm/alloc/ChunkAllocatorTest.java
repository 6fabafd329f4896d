package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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

class ChunkAllocatorTest {
  private static final int LINE = SizeClass.of(64);
  private static final int NODE = SizeClass.of(1024);

  /** Number of lines of both nodes, not counting their reserves. */
  private static final long LINES = 2 * (ChunkPool.ordinaryBytes(1 << 20) - 4096) / 64;

  private final LocalFabric fabric = new LocalFabric(2, 1 << 20);
  private final Channel channel = fabric.openChannel(8192);
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

  private static List<Long> exhaust(PoolAllocator allocator, int sizeClass) {
    List<Long> blocks = new ArrayList<>();
    for (long a = allocator.allocate(sizeClass); a != 0; a = allocator.allocate(sizeClass)) {
      blocks.add(a);
    }
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
  void shouldReturnNullWhenExhaustedAndHandOutEverythingAgainOnceFreed() {
    PoolAllocator allocator = allocator();
    List<Long> first = exhaust(allocator, LINE);
    assertEquals(PoolAddress.NULL, allocator.allocate(LINE));
    assertEquals(PoolAddress.NULL, allocator.allocate(NODE));
    assertEquals(LINES, first.size(), "every line of both nodes");
    for (long block : first) {
      allocator.free(block, LINE);
    }
    assertEquals(new HashSet<>(first), new HashSet<>(exhaust(allocator, LINE)));
  }

  @Test
  void shouldReserveEndOfEachNodeForDeletions() {
    PoolAllocator allocator = allocator();
    exhaust(allocator, LINE);
    List<Long> reserved = new ArrayList<>();
    for (long block = allocator.allocateReserved(NODE);
        block != PoolAddress.NULL;
        block = allocator.allocateReserved(NODE)) {
      reserved.add(block);
      assertTrue(PoolAddress.offset(block) >= ChunkPool.ordinaryBytes(1 << 20));
    }
    assertTrue(reserved.size() * (long) SizeClass.bytes(NODE) > 2 * (1 << 20) / 11);
    horizon = 2;
    for (long block : reserved) {
      if (block == reserved.getFirst()) {
        allocator.retire(block, NODE, 1);
      } else {
        allocator.free(block, NODE);
      }
    }
    assertEquals(PoolAddress.NULL, allocator.allocate(LINE), "it was freed into the reserve");
    allocator.close();
    PoolAllocator another = allocator();
    for (long ignored : reserved) {
      assertNotEquals(PoolAddress.NULL, another.allocateReserved(NODE));
    }
    assertEquals(PoolAddress.NULL, another.allocateReserved(NODE));
    assertTrue(account(another).isBalanced());
  }

  @Test
  void shouldJoinSmallFreeBlocksWhenExhausted() {
    PoolAllocator allocator = allocator();
    List<Long> lines = exhaust(allocator, LINE);
    for (long block : lines) {
      allocator.free(block, LINE);
    }
    List<Long> nodes = exhaust(allocator, NODE);
    assertTrue(nodes.size() > 0.98 * lines.size() / 16, "nodes=" + nodes.size());
    assertTrue(account(allocator).isBalanced());
  }

  @Test
  void shouldLeaveMostOfMergedRangeToOtherAllocators() {
    PoolAllocator allocator = allocator();
    List<Long> lines = exhaust(allocator, LINE);
    for (long block : lines) {
      allocator.free(block, LINE);
    }
    allocator.releaseFree();
    assertNotEquals(PoolAddress.NULL, allocator.allocate(NODE));
    List<Long> ofAnother = exhaust(allocator(), LINE);
    assertTrue(ofAnother.size() > lines.size() * 0.8, "lines=" + ofAnother.size());
  }

  @Test
  void shouldReuseGapsBetweenUsedBlocks() {
    PoolAllocator allocator = allocator();
    List<Long> lines = exhaust(allocator, LINE);
    Set<Long> freed = new HashSet<>();
    for (int i = 0; i < lines.size(); i += 2) {
      allocator.free(lines.get(i), LINE);
      freed.add(lines.get(i));
    }
    assertEquals(PoolAddress.NULL, allocator.allocate(NODE));
    assertEquals(freed, new HashSet<>(exhaust(allocator, LINE)));
  }

  @Test
  void shouldCutLargerFreeBlocksWhenExhausted() {
    PoolAllocator allocator = allocator();
    List<Long> nodes = exhaust(allocator, NODE);
    exhaust(allocator, SizeClass.of(16));
    allocator.free(nodes.getFirst(), NODE);
    Set<Long> lines = new HashSet<>(exhaust(allocator, LINE));
    assertEquals(16, lines.size());
    assertTrue(lines.contains(nodes.getFirst()));
    assertTrue(account(allocator).isBalanced(), account(allocator)::toString);
  }

  @Test
  void shouldReuseRetiredMemoryOnlyAfterHorizon() {
    PoolAllocator allocator = allocator();
    List<Long> blocks = exhaust(allocator, LINE);
    allocator.retire(blocks.getFirst(), LINE, 10);
    horizon = 10;
    assertEquals(PoolAddress.NULL, allocator.allocate(LINE));
    horizon = 11;
    assertEquals(blocks.getFirst(), allocator.allocate(LINE));
  }

  @Test
  void shouldReuseRetiredBlocksOfClosedAllocatorAfterHorizon() {
    PoolAllocator first = allocator();
    List<Long> blocks = exhaust(first, LINE);
    first.retire(blocks.getFirst(), LINE, 10);
    first.close();
    PoolAllocator second = allocator();
    assertEquals(PoolAddress.NULL, second.allocate(LINE));
    horizon = 11;
    assertEquals(blocks.getFirst(), second.allocate(LINE));
  }

  @Test
  void shouldReleaseFreeMemoryOnClose() {
    PoolAllocator first = allocator();
    long kept = first.allocate(LINE);
    first.free(first.allocate(NODE), NODE);
    first.close();
    PoolAllocator second = allocator();
    Set<Long> lines = new HashSet<>(exhaust(second, LINE));
    assertEquals(LINES - 1, lines.size());
    assertFalse(lines.contains(kept));
    second.free(kept, LINE);
    assertEquals(kept, second.allocate(LINE));
    assertTrue(account(second).isBalanced(), account(second)::toString);
    assertThrows(IllegalStateException.class, () -> first.allocate(NODE));
  }

  @Test
  void shouldPassFreedBlocksToOtherAllocators() {
    PoolAllocator loader = allocator();
    PoolAllocator collector = allocator();
    for (long block : exhaust(loader, NODE)) {
      collector.free(block, NODE);
    }
    assertNotEquals(PoolAddress.NULL, loader.allocate(NODE));
    PoolUsage account = account(loader, collector);
    assertTrue(account.isBalanced(), account::toString);
    assertEquals(1, account.liveBlocks(NODE));
  }

  @Test
  void shouldUseAllNodes() {
    PoolAllocator allocator = allocator();
    Set<Integer> nodes = new HashSet<>();
    for (long block : exhaust(allocator, NODE)) {
      nodes.add(PoolAddress.node(block));
    }
    assertEquals(Set.of(0, 1), nodes);
  }

  @Test
  void shouldRefuseAnUnformattedNode() {
    try (LocalFabric raw = new LocalFabric(1 << 20);
        Channel mine = raw.openChannel(64)) {
      PoolAllocator allocator = new ChunkPool(raw, () -> 0).newAllocator(mine);
      assertThrows(IllegalStateException.class, () -> allocator.allocate(0));
    }
  }
}
