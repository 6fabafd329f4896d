package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolFormat;

/**
 * Threads allocate, pass blocks to each other, free and retire, in a pool that is too small for
 * them.
 */
class AllocatorStressTest {
  private static final int THREADS = 4;
  private static final int NODE_BYTES = 2 << 20;
  private static final int ROUNDS = 30_000;

  private record Block(long address, int sizeClass) {}

  private final LocalFabric fabric = new LocalFabric(2, NODE_BYTES);
  private final AtomicIntegerArray held = new AtomicIntegerArray(2 * NODE_BYTES / 16);
  private final AtomicLong clock = new AtomicLong(1);
  private final ConcurrentLinkedQueue<Block> passed = new ConcurrentLinkedQueue<>();

  @Test
  @Timeout(120)
  void shouldAllocateEachBlockToOneThreadAtATime() throws Exception {
    PoolFormat.format(fabric, 1);
    ChunkPool chunks = new ChunkPool(fabric, clock::get);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        long seed = t;
        futures.add(threads.submit(() -> work(chunks, seed)));
      }
      for (Future<?> future : futures) {
        future.get(100, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }
    PoolUsage account = new PoolUsage();
    chunks.addTo(account);
    assertTrue(account.isBalanced(), account::toString);
    long passedBytes = passed.stream().mapToLong(b -> SizeClass.bytes(b.sizeClass())).sum();
    assertEquals(passedBytes, account.liveBytes());
    fabric.close();
  }

  private void work(ChunkPool chunks, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Channel channel = fabric.openChannel(4096)) {
      PoolAllocator allocator = chunks.newAllocator(channel);
      for (int i = 0; i < ROUNDS; i++) {
        int sizeClass = random.nextInt(40);
        long address = allocator.allocate(sizeClass);
        if (address != PoolAddress.NULL) {
          hold(address, sizeClass);
          passed.add(new Block(address, sizeClass));
        }
        if (address == PoolAddress.NULL || random.nextInt(3) > 0) {
          giveBack(allocator, random);
        }
        if (random.nextInt(5000) == 0) {
          allocator.close();
          allocator = chunks.newAllocator(channel);
        }
      }
      allocator.close();
    }
  }

  /** Marks all 16-byte granules of a block as held; fails if one is held already. */
  private void hold(long address, int sizeClass) {
    for (int i = 0; i < SizeClass.bytes(sizeClass); i += 16) {
      assertTrue(held.compareAndSet(granule(address + i), 0, 1), "held by another");
    }
  }

  private void letGo(Block block) {
    for (int i = 0; i < SizeClass.bytes(block.sizeClass()); i += 16) {
      held.set(granule(block.address() + i), 0);
    }
  }

  private static int granule(long address) {
    return PoolAddress.node(address) * (NODE_BYTES / 16) + (int) (PoolAddress.offset(address) / 16);
  }

  private void giveBack(PoolAllocator allocator, SplittableRandom random) {
    Block block = passed.poll();
    if (block == null) {
      return;
    }
    letGo(block);
    if (random.nextBoolean()) {
      allocator.free(block.address(), block.sizeClass());
    } else {
      allocator.retire(block.address(), block.sizeClass(), clock.getAndIncrement());
    }
  }
}
