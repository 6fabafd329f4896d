package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.PoolAddress;

@Timeout(120)
class EntryRemovalsTest {
  private static final int THREADS = 4;

  private final TreePool pool = new TreePool(64 << 20);
  private final OrderedIndex index = pool.create();
  private final EntryRemovals removals = new EntryRemovals(LeafGuard.NONE);

  @AfterEach
  void close() {
    pool.close();
  }

  private static long address(long key) {
    return PoolAddress.of(0, 64 + key * 64);
  }

  private void insert(OrderedIndex into, long from, long to) {
    for (long key = from; key < to; key++) {
      pool.insert(into, TreePool.key(key), address(key));
    }
  }

  private void remove(OrderedIndex from, long key, long cvt) {
    removals.add(pool.channel, from, TreePool.key(key), Long.BYTES, cvt);
  }

  private long roundTrips() {
    return pool.channel.counters(CountingChannel.UNLABELLED).roundTrips();
  }

  @Test
  void shouldShareTwoRoundTripsAmongLeavesAndIndexes() {
    OrderedIndex second = pool.create();
    insert(index, 0, 1500);
    insert(second, 0, 50);
    long before = roundTrips();
    for (long key = 0; key < 1500; key += 2) {
      remove(index, key, address(key));
    }
    remove(second, 7, address(7));
    removals.run(pool.channel);
    assertEquals(2, roundTrips() - before);
    assertEquals(750, index.verify(pool.channel));
    assertEquals(49, second.verify(pool.channel));
    assertEquals(PoolAddress.NULL, second.get(pool.channel, TreePool.key(7), Long.BYTES));
  }

  @Test
  void shouldForgetPendingRemovalsOnClear() {
    insert(index, 0, 3);
    remove(index, 1, address(1));
    removals.clear();
    remove(index, 2, address(2));
    removals.run(pool.channel);
    assertEquals(2, index.verify(pool.channel));
    assertEquals(address(1), index.get(pool.channel, TreePool.key(1), Long.BYTES));
  }

  @Test
  void shouldKeepEntryWithDifferentValue() {
    insert(index, 0, 3);
    remove(index, 1, address(2));
    remove(index, 5, address(5));
    removals.run(pool.channel);
    assertEquals(3, index.verify(pool.channel));
  }

  @Test
  void shouldRecordEmptiedLeaves() {
    insert(index, 0, 1000);
    for (long key = 0; key < 1000; key++) {
      remove(index, key, address(key));
    }
    removals.run(pool.channel);
    assertEquals(0, index.verify(pool.channel));
    assertTrue(index.hasEmptyLeaves());
    assertTrue(index.removeEmptyLeaves(pool.channel, pool.allocator, LeafGuard.NONE, 1000) > 1);
  }

  @Test
  void shouldMatchTreeMapDespiteStaleInnerNodes() {
    SplittableRandom random = new SplittableRandom(7);
    TreeMap<Long, Long> model = new TreeMap<>();
    OrderedIndex elsewhere = pool.open(index.root(), 2); // its copies of inner nodes become stale
    for (int round = 0; round < 200; round++) {
      OrderedIndex one = random.nextBoolean() ? index : elsewhere;
      for (int i = 0; i < 40; i++) {
        long key = random.nextLong(2000);
        if (!model.containsKey(key)) {
          pool.insert(one, TreePool.key(key), address(key));
          model.put(key, address(key));
        }
      }
      OrderedIndex other = random.nextBoolean() ? index : elsewhere;
      for (int i = 0; i < 38; i++) {
        long key = random.nextLong(2000);
        long cvt = random.nextInt(10) == 0 ? address(key + 1) : address(key);
        remove(other, key, cvt);
        model.remove(key, cvt);
      }
      removals.run(pool.channel);
      other.removeEmptyLeaves(pool.channel, pool.allocator, LeafGuard.NONE, 2);
    }
    assertEquals(model.size(), index.verify(pool.channel));
    for (long key = 0; key < 2000; key++) {
      long expected = model.getOrDefault(key, PoolAddress.NULL);
      assertEquals(expected, index.get(pool.channel, TreePool.key(key), Long.BYTES), "key " + key);
    }
  }

  @Test
  void shouldRemoveDuringConcurrentInserts() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        all.add(threads.submit(() -> insertAndRemove(thread)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    assertEquals(THREADS * 100, index.verify(pool.channel));
  }

  /** Inserts keys that lie between those of other threads, and removes all but the last hundred. */
  private void insertAndRemove(int thread) {
    EntryRemovals mine = new EntryRemovals(LeafGuard.NONE);
    try (Channel channel = pool.fabric.openChannel(TreePool.STAGING);
        PoolAllocator allocator = pool.chunks.newAllocator(channel)) {
      for (int round = 0; round < 30; round++) {
        for (int i = 0; i < 100; i++) {
          byte[] key = TreePool.key(i * THREADS + thread);
          index.insert(channel, allocator, key, key.length, address(thread), LeafGuard.NONE);
        }
        for (int i = 0; i < 100 && round < 29; i++) {
          byte[] key = TreePool.key(i * THREADS + thread);
          mine.add(channel, index, key, key.length, address(thread));
        }
        mine.run(channel);
      }
    }
  }
}
