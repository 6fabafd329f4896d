package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolOwner;

class FreeSpaceMapTest {
  private static final long NODE_BYTES = 8 << 20;
  private static final long TIMESTAMP = 4711;

  private final LocalFabric fabric = new LocalFabric(2, NODE_BYTES);
  private final Channel channel = fabric.openChannel(8192);
  private ChunkPool chunks;
  private long epoch;

  /** Blocks in use, with their size classes. */
  private final Map<Long, Integer> live = new HashMap<>();

  @BeforeEach
  void format() {
    PoolFormat.format(fabric, 7);
    attach(null);
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  private void attach(FreeSpaceMap freeSpaceMap) {
    epoch = PoolOwner.take(fabric, "me", 1);
    chunks = new ChunkPool(fabric, () -> 0);
    if (freeSpaceMap != null) {
      chunks.restore(freeSpaceMap);
    }
  }

  /**
   * Allocates, frees and retires at random; some blocks stay allocated, and some wait for readers.
   */
  private void work(Random random, int steps) {
    try (PoolAllocator allocator = chunks.newAllocator(channel)) {
      List<Long> blocks = new ArrayList<>(live.keySet());
      for (int i = 0; i < steps; i++) {
        if (!blocks.isEmpty() && random.nextInt(3) == 0) {
          long block = blocks.remove(random.nextInt(blocks.size()));
          int sizeClass = live.remove(block);
          if (random.nextBoolean()) {
            allocator.free(block, sizeClass);
          } else {
            allocator.retire(block, sizeClass, 10);
          }
        } else {
          int sizeClass = random.nextInt(SizeClass.of(8 << 10));
          long block = allocator.allocate(sizeClass);
          if (block != PoolAddress.NULL) {
            assertNull(live.put(block, sizeClass), "handed out twice");
            blocks.add(block);
          }
        }
      }
    }
  }

  private long write() {
    return FreeSpaceMapWriter.write(fabric, chunks, epoch, TIMESTAMP);
  }

  private void leave() {
    long first = write();
    assertNotEquals(PoolAddress.NULL, first);
    FreeSpaceMapWriter.publish(fabric, first);
  }

  private PoolUsage account() {
    PoolUsage account = new PoolUsage();
    chunks.addTo(account);
    return account;
  }

  private void word(long address, long value) {
    channel.writeLong(address, value);
    channel.flush();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 2_000, 5_000})
  void shouldRestoreFreeAndUsedMemory(int steps) {
    Random random = new Random(steps);
    for (int round = 0; round < 4; round++) {
      work(random, steps);
      leave();
      FreeSpaceMap found = FreeSpaceMap.take(fabric);
      assertEquals(TIMESTAMP, found.timestamp());
      attach(found);
      PoolUsage account = account();
      assertTrue(account.isBalanced(), account.toString());
      long liveBytes = live.values().stream().mapToLong(SizeClass::bytes).sum();
      assertEquals(liveBytes, account.liveBytes());
      assertEquals(liveBytes, chunks.usedBytes());
    }
    handOutAllThatIsFree();
  }

  /**
   * Allocates all free memory. Checks that no block in use is allocated again, and that no byte of
   * the pool is missing.
   */
  private void handOutAllThatIsFree() {
    long bytes = account().liveBytes();
    int sizeClass = SizeClass.of(64);
    boolean[][] used = new boolean[2][(int) NODE_BYTES / 16];
    live.forEach((address, each) -> mark(used, address, SizeClass.bytes(each)));
    try (PoolAllocator allocator = chunks.newAllocator(channel)) {
      for (int i = 0; i <= sizeClass; i++) {
        long block = allocator.allocate(sizeClass - i);
        while (block != PoolAddress.NULL) {
          mark(used, block, SizeClass.bytes(sizeClass - i));
          bytes += SizeClass.bytes(sizeClass - i);
          block = allocator.allocate(sizeClass - i);
        }
        block = allocator.allocateReserved(sizeClass - i);
        while (block != PoolAddress.NULL) {
          mark(used, block, SizeClass.bytes(sizeClass - i));
          bytes += SizeClass.bytes(sizeClass - i);
          block = allocator.allocateReserved(sizeClass - i);
        }
      }
    }
    assertEquals(2 * (NODE_BYTES - SuperblockLayout.LENGTH), bytes);
  }

  private static void mark(boolean[][] used, long address, int bytes) {
    boolean[] node = used[PoolAddress.node(address)];
    for (long at = PoolAddress.offset(address); bytes > 0; bytes -= 16, at += 16) {
      assertFalse(node[(int) at / 16], "in use twice");
      node[(int) at / 16] = true;
    }
  }

  @Test
  void shouldBeFoundOnce() {
    work(new Random(1), 100);
    leave();
    assertNotNull(FreeSpaceMap.take(fabric));
    assertNull(FreeSpaceMap.take(fabric));
  }

  @Test
  void shouldNotBeFoundBeforeItIsPublished() {
    work(new Random(1), 100);
    write();
    assertNull(FreeSpaceMap.take(fabric));
  }

  /**
   * A version without support for free-space maps raises the epoch and leaves the maps where they
   * are.
   */
  @Test
  void shouldIgnoreMapAfterAnotherOwner() {
    work(new Random(1), 100);
    leave();
    PoolOwner.take(fabric, "of another version", 2);
    PoolOwner.leave(fabric);
    assertNull(FreeSpaceMap.take(fabric));
  }

  @Test
  void shouldBeOfNoUseWhenMemoryWasHandedOutSince() {
    work(new Random(1), 100);
    leave();
    try (PoolAllocator allocator = chunks.newAllocator(channel)) {
      for (int i = 0; i < 100; i++) {
        allocator.allocate(SizeClass.of(64 << 10));
      }
    }
    assertNull(FreeSpaceMap.take(fabric));
  }

  @Test
  void shouldBeOfNoUseWhenAnyWordIsWrong() {
    work(new Random(1), 300);
    Random random = new Random(2);
    for (int i = 0; i < 50; i++) {
      long first = write();
      FreeSpaceMapWriter.publish(fabric, first);
      word(first + (long) random.nextInt(150) * Long.BYTES, random.nextLong());
      assertNull(FreeSpaceMap.take(fabric));
      FreeSpaceMapWriter.publish(fabric, random.nextLong() & -8);
      assertNull(FreeSpaceMap.take(fabric));
    }
  }

  @Test
  void shouldNotWriteMapWithOpenAllocatorOrFullPool() {
    try (PoolAllocator open = chunks.newAllocator(channel)) {
      open.allocate(0);
      assertEquals(PoolAddress.NULL, write(), "an allocator is open");
    }
    try (PoolAllocator allocator = chunks.newAllocator(channel)) {
      for (long block = 1; block != PoolAddress.NULL; ) {
        block = allocator.allocate(0);
      }
    }
    assertEquals(PoolAddress.NULL, write(), "the pool is full");
  }

  @Test
  void shouldDecodeAddressAndLengthOfRun() {
    long address = PoolAddress.of(255, (1L << PoolAddress.OFFSET_BITS) - 16);
    long run = FreeSpaceMapLayout.run(address, FreeSpaceMapLayout.RUN_BYTES_MAX);
    assertEquals(address, FreeSpaceMapLayout.address(run));
    assertEquals(FreeSpaceMapLayout.RUN_BYTES_MAX, FreeSpaceMapLayout.bytes(run));
    assertEquals(16, FreeSpaceMapLayout.bytes(FreeSpaceMapLayout.run(address, 16)));
  }
}
