package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.PoolAddress;

@Timeout(120)
class LatchedInsertTest {
  private static final int THREADS = 4;

  private final TreePool pool = new TreePool(64 << 20);
  private final OrderedIndex index = pool.create();
  private final LatchedInsert insert = new LatchedInsert();
  private final LatchedInsert another = new LatchedInsert();

  @AfterEach
  void close() {
    pool.close();
  }

  /**
   * A guard that refuses {@link LeafGuard#tryEnterInsert}, which callers with several leaves use,
   * and counts inserts.
   */
  private static final class Sulking implements LeafGuard {
    private int inside;
    private int entered;

    @Override
    public boolean enterScan(long leaf) {
      return true;
    }

    @Override
    public boolean enterInsert(long leaf) {
      entered++;
      inside++;
      return true;
    }

    @Override
    public void exitInsert(long leaf) {
      inside--;
    }
  }

  private void begin(LatchedInsert which, OrderedIndex into, long key) {
    which.begin(into, into.leaf(pool.channel, TreePool.key(key), Long.BYTES));
  }

  private static void add(LatchedInsert to, long... keys) {
    for (long key : keys) {
      to.run().add(TreePool.key(key), Long.BYTES, address(key));
    }
  }

  private static long address(long key) {
    return PoolAddress.of(0, 64 + key * 64);
  }

  private int finish(LatchedInsert which, LeafGuard guard) {
    return which.finish(pool.channel, pool.allocator, guard);
  }

  private void assertHas(OrderedIndex in, long... keys) {
    for (long key : keys) {
      assertEquals(address(key), in.get(pool.channel, TreePool.key(key), Long.BYTES), "key " + key);
    }
    assertEquals(keys.length, in.verify(pool.channel));
  }

  @Test
  void shouldShareTwoRoundTripsAmongIndexes() {
    OrderedIndex second = pool.create();
    begin(insert, index, 1);
    begin(another, second, 7);
    long before = pool.channel.counters(CountingChannel.UNLABELLED).roundTrips();
    insert.postLatch(pool.channel, LeafGuard.NONE);
    another.postLatch(pool.channel, LeafGuard.NONE);
    pool.channel.flush();
    add(insert, 1, 2, 3);
    add(another, 7);
    insert.postEntries(pool.channel, pool.allocator, LeafGuard.NONE);
    another.postEntries(pool.channel, pool.allocator, LeafGuard.NONE);
    pool.channel.flush();
    assertEquals(IndexResult.OK, finish(insert, LeafGuard.NONE));
    assertEquals(IndexResult.OK, finish(another, LeafGuard.NONE));
    assertEquals(2, pool.channel.counters(CountingChannel.UNLABELLED).roundTrips() - before);
    assertEquals(IndexResult.INSERTED, insert.run().result(2));
    assertHas(index, 1, 2, 3);
    assertHas(second, 7);
  }

  @Test
  void shouldInsertByItselfWhereTheLeafIsLatched() {
    begin(insert, index, 1);
    begin(another, index, 2);
    insert.postLatch(pool.channel, LeafGuard.NONE);
    another.postLatch(pool.channel, LeafGuard.NONE);
    pool.channel.flush();
    add(insert, 1);
    add(another, 2);
    insert.postEntries(pool.channel, pool.allocator, LeafGuard.NONE);
    another.postEntries(pool.channel, pool.allocator, LeafGuard.NONE);
    pool.channel.flush();
    assertEquals(IndexResult.OK, finish(insert, LeafGuard.NONE));
    assertEquals(0, another.run().result(0), "its latch was the other's");
    assertEquals(IndexResult.OK, finish(another, LeafGuard.NONE));
    assertHas(index, 1, 2);
  }

  private void insertTogether(LatchedInsert which, LeafGuard guard, long... keys) {
    int mark = pool.channel.mark();
    which.postLatch(pool.channel, guard);
    pool.channel.flush();
    add(which, keys);
    which.postEntries(pool.channel, pool.allocator, guard);
    pool.channel.flush();
    assertEquals(IndexResult.OK, finish(which, guard));
    pool.channel.release(mark);
  }

  @Test
  void shouldInsertSeparatelyWhenGuardWouldWait() {
    Sulking guard = new Sulking();
    begin(insert, index, 1);
    insertTogether(insert, guard, 1, 2);
    assertEquals(1, guard.entered, "for both, as they go to one leaf");
    assertEquals(0, guard.inside);
    assertHas(index, 1, 2);
  }

  @Test
  void shouldNotWriteTheLatchOfALeafThatAnotherOwnerHasLatched() {
    ExclusiveGuard guard = new ExclusiveGuard();
    pool.insert(index, TreePool.key(1), address(1));
    long leaf = index.leaf(pool.channel, TreePool.key(2), Long.BYTES);
    long free = TreeNodeLayout.freeLatch(index.root());
    int failed = 7;
    long latch = TreeNodeLayout.latch(free, failed);
    pool.channel.writeLong(leaf + TreeNodeLayout.LATCH_OFFSET, latch);
    pool.channel.flush();
    begin(insert, index, 2);
    insert.postLatch(pool.channel, guard);
    pool.channel.flush();
    add(insert, 2);
    insert.postEntries(pool.channel, pool.allocator, guard);
    pool.channel.flush();
    assertTrue(guard.isEmpty());
    assertEquals(PoolAddress.NULL, index.get(pool.channel, TreePool.key(2), Long.BYTES));
    assertEquals(1, index.repair(pool.channel, pool.allocator, failed));
    assertEquals(IndexResult.OK, finish(insert, guard));
    assertHas(index, 1, 2);
  }

  @Test
  void shouldReadALeafOnlyUntilItsImageIsKept() {
    ExclusiveGuard guard = new ExclusiveGuard();
    CountingChannel counting = pool.channel;
    for (long key = 1; key <= 3; key++) {
      counting.label("key " + key);
      assertEquals(
          IndexResult.INSERTED,
          index.insert(
              counting, pool.allocator, TreePool.key(key), Long.BYTES, address(key), guard));
      assertEquals(0, counting.counters("key " + key).compareAndSwaps());
    }
    assertEquals(0, counting.counters("key 3").reads());
    counting.label(CountingChannel.UNLABELLED);
    assertHas(index, 1, 2, 3);
  }

  @Test
  void shouldAlwaysExitGuard() {
    int[] inside = {0};
    LeafGuard guard =
        new LeafGuard() {
          @Override
          public boolean enterScan(long leaf) {
            return true;
          }

          @Override
          public boolean enterInsert(long leaf) {
            return false;
          }

          @Override
          public void exitInsert(long leaf) {}

          @Override
          public boolean tryEnterInsert(long leaf) {
            inside[0]++;
            return true;
          }

          @Override
          public void exitTriedInsert(long leaf) {
            inside[0]--;
          }
        };
    begin(insert, index, 1);
    insertTogether(insert, guard, 1);
    insert.begin(index, address(9)); // no leaf
    insert.postLatch(pool.channel, guard);
    pool.channel.flush();
    add(insert, 2);
    insert.postEntries(pool.channel, pool.allocator, guard);
    assertEquals(0, inside[0]);
    assertEquals(IndexResult.CONFLICT, finish(insert, guard));
    begin(insert, index, 1);
    insert.postLatch(pool.channel, guard);
    pool.channel.flush();
    insert.postEntries(pool.channel, pool.allocator, guard); // without entries
    pool.channel.flush();
    insert.leave(guard);
    assertEquals(0, inside[0]);
    assertHas(index, 1);
  }

  @Test
  void shouldFindTheRightLeafFromAWrongOne() {
    for (long key = 0; key < 1000; key++) {
      pool.insert(index, TreePool.key(2 * key), address(2 * key));
    }
    begin(insert, index, 1999);
    insertTogether(insert, LeafGuard.NONE, 3, 5, 1999);
    assertEquals(1003, index.verify(pool.channel));
    assertEquals(address(5), index.get(pool.channel, TreePool.key(5), Long.BYTES));
    assertEquals(address(1999), index.get(pool.channel, TreePool.key(1999), Long.BYTES));
  }

  @Test
  void shouldSplitAFullLeaf() {
    for (long from = 0; from < 2000; from += 50) {
      begin(insert, index, from);
      long[] keys = new long[50];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = from + i;
      }
      insertTogether(insert, LeafGuard.NONE, keys);
    }
    assertEquals(2000, index.verify(pool.channel));
  }

  @Test
  void shouldOverwriteExistingKey() {
    pool.insert(index, TreePool.key(4), address(99));
    begin(insert, index, 4);
    insertTogether(insert, LeafGuard.NONE, 4, 5);
    assertEquals(IndexResult.PRESENT, insert.run().result(0));
    assertEquals(IndexResult.INSERTED, insert.run().result(1));
    assertHas(index, 4, 5);
  }

  /** Many threads, each with several leaves of several indexes at a time. */
  @Test
  void shouldNotDeadlockAcrossLeavesAndIndexes() throws Exception {
    List<OrderedIndex> indexes = List.of(index, pool.create(), pool.create());
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> runs = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread;
        runs.add(threads.submit(() -> insertMany(indexes, first)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    }
    for (OrderedIndex each : indexes) {
      assertEquals(THREADS * 3000, each.verify(pool.channel));
    }
  }

  private void insertMany(List<OrderedIndex> indexes, int first) {
    SplittableRandom random = new SplittableRandom(first);
    List<Long> keys = new ArrayList<>();
    for (long i = 0; i < 3000; i++) {
      keys.add(random.nextInt(keys.size() + 1), i * THREADS + first);
    }
    try (Channel channel = pool.fabric.openChannel(TreePool.STAGING);
        PoolAllocator allocator = pool.chunks.newAllocator(channel)) {
      List<LatchedInsert> inserts = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        inserts.add(new LatchedInsert());
      }
      for (int at = 0; at < keys.size(); at += 2) {
        insertPair(channel, allocator, indexes, inserts, keys.get(at), keys.get(at + 1));
      }
    }
  }

  private static void insertPair(
      Channel channel,
      PoolAllocator allocator,
      List<OrderedIndex> indexes,
      List<LatchedInsert> inserts,
      long one,
      long other) {
    int mark = channel.mark();
    for (int i = 0; i < inserts.size(); i++) {
      OrderedIndex into = indexes.get(i / 2);
      byte[] key = TreePool.key(i % 2 == 0 ? one : other);
      inserts.get(i).begin(into, into.leaf(channel, key, Long.BYTES));
    }
    inserts.forEach(each -> each.postLatch(channel, LeafGuard.NONE));
    channel.flush();
    for (int i = 0; i < inserts.size(); i++) {
      add(inserts.get(i), i % 2 == 0 ? one : other);
      inserts.get(i).postEntries(channel, allocator, LeafGuard.NONE);
    }
    TreePool.flushAll(channel, inserts);
    inserts.forEach(each -> each.leave(LeafGuard.NONE));
    for (LatchedInsert each : inserts) {
      assertEquals(IndexResult.OK, each.finish(channel, allocator, LeafGuard.NONE));
    }
    channel.release(mark);
  }
}
