package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolFormat;

/**
 * Compares random allocations, frees and retirements, over allocators that are opened and closed,
 * with a map of the blocks that are in use or still readable. No two of these blocks overlap, all
 * are aligned, and no byte is lost.
 */
class AllocatorModelTest {
  private record Block(long address, int sizeClass, long timestamp) {
    long end() {
      return address + SizeClass.bytes(sizeClass);
    }
  }

  private final TreeMap<Long, Block> untouchable = new TreeMap<>();
  private final List<Block> live = new ArrayList<>();
  private final List<Block> retired = new ArrayList<>();
  private final List<PoolAllocator> allocators = new ArrayList<>();
  private LocalFabric fabric;
  private Channel channel;
  private ChunkPool chunks;
  private Random random;
  private long now;
  private long horizon;

  @Property(seed = "1", tries = 60)
  void shouldNeverOverlapNorLoseMemory(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 3) int nodes,
      @ForAll @IntRange(min = 5, max = SizeClass.COUNT - 1) int classes) {
    open(seed, nodes);
    try {
      for (int step = 0; step < 3_000; step++) {
        step(classes);
      }
      assertBalanced();
      giveEverythingBack();
    } finally {
      channel.close();
      fabric.close();
    }
  }

  private void open(long seed, int nodes) {
    random = new Random(seed);
    untouchable.clear();
    live.clear();
    retired.clear();
    allocators.clear();
    now = 1;
    horizon = 0;
    fabric = new LocalFabric(nodes, 512 << 10);
    channel = fabric.openChannel(4096);
    PoolFormat.format(fabric, seed);
    chunks = new ChunkPool(fabric, () -> horizon);
    for (int i = 0; i < 3; i++) {
      allocators.add(chunks.newAllocator(channel));
    }
  }

  private void step(int classes) {
    PoolAllocator allocator = allocators.get(random.nextInt(allocators.size()));
    switch (random.nextInt(16)) {
      case 0 -> advanceHorizon();
      case 1, 2, 3 -> retire(allocator);
      case 4, 5, 6, 7 -> free(allocator);
      case 8 -> {
        if (random.nextInt(20) == 0) {
          allocator.close();
          allocators.set(allocators.indexOf(allocator), chunks.newAllocator(channel));
          assertBalanced();
        }
      }
      default -> allocate(allocator, random.nextInt(classes));
    }
  }

  private void allocate(PoolAllocator allocator, int sizeClass) {
    long address =
        random.nextInt(4) == 0
            ? allocator.allocate(sizeClass)
            : allocator.allocate(sizeClass, random.nextLong());
    if (address == PoolAddress.NULL && random.nextBoolean()) {
      address = allocator.allocateReserved(sizeClass);
    }
    if (address == PoolAddress.NULL) {
      return;
    }
    Block block = new Block(address, sizeClass, 0);
    assertEquals(0, address % SizeClass.alignment(sizeClass));
    assertTrue(PoolAddress.offset(address) >= 4096);
    long last = PoolAddress.offset(address) + SizeClass.bytes(sizeClass);
    assertTrue(last <= fabric.nodeBytes(PoolAddress.node(address)));
    Map.Entry<Long, Block> before = untouchable.lowerEntry(block.end());
    assertTrue(before == null || before.getValue().end() <= address, "overlaps another block");
    assertNull(untouchable.put(address, block));
    live.add(block);
  }

  private Block removeLive() {
    int at = random.nextInt(live.size());
    Block block = live.get(at);
    live.set(at, live.getLast());
    live.removeLast();
    return block;
  }

  private void free(PoolAllocator allocator) {
    if (!live.isEmpty()) {
      Block block = removeLive();
      untouchable.remove(block.address());
      allocator.free(block.address(), block.sizeClass());
    }
  }

  private void retire(PoolAllocator allocator) {
    if (!live.isEmpty()) {
      Block block = removeLive();
      retired.add(new Block(block.address(), block.sizeClass(), now));
      allocator.retire(block.address(), block.sizeClass(), now++);
    }
  }

  private void advanceHorizon() {
    horizon += random.nextInt((int) (now - horizon) + 1);
    for (int i = retired.size() - 1; i >= 0; i--) {
      if (retired.get(i).timestamp() < horizon) {
        untouchable.remove(retired.remove(i).address());
      }
    }
  }

  private PoolUsage account() {
    PoolUsage account = new PoolUsage();
    chunks.addTo(account);
    allocators.forEach(allocator -> allocator.addTo(account));
    return account;
  }

  private void assertBalanced() {
    PoolUsage account = account();
    assertTrue(account.isBalanced(), account::toString);
    long liveBytes = live.stream().mapToLong(b -> SizeClass.bytes(b.sizeClass())).sum();
    assertEquals(liveBytes, account.liveBytes());
    allocators.forEach(PoolAllocator::report);
    assertEquals(account.liveBytes() + account.retiredBytes(), chunks.usedBytes());
    assertEquals(account.takenBytes(), chunks.takenBytes());
  }

  /** Frees all blocks, and checks that the whole pool can be allocated again. */
  private void giveEverythingBack() {
    PoolAllocator allocator = allocators.getFirst();
    while (!live.isEmpty()) {
      free(allocator);
    }
    horizon = now + 1;
    allocators.forEach(PoolAllocator::close);
    allocators.clear();
    assertEquals(0, account().liveBytes());
    allocators.add(chunks.newAllocator(channel));
    long usable = fabric.nodeCount() * (fabric.nodeBytes(0) - 4096);
    long bytes = 0;
    while (allocators.getFirst().allocate(0) != PoolAddress.NULL) {
      bytes += SizeClass.bytes(0);
    }
    assertEquals(fabric.nodeCount() * (ChunkPool.ordinaryBytes(fabric.nodeBytes(0)) - 4096), bytes);
    while (allocators.getFirst().allocateReserved(0) != PoolAddress.NULL) {
      bytes += SizeClass.bytes(0);
    }
    assertEquals(usable, bytes);
    assertNotEquals(0, usable);
    PoolUsage account = account();
    assertTrue(account.isBalanced(), account::toString);
  }
}
