package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.FabricCounters;

/** Tests the round trips of operations with warm copies of inner nodes, and their garbage. */
class TreeCostTest {
  private static final int KEYS = 50_000;

  private final TreePool pool = new TreePool(64 << 20);
  private final OrderedIndex index = pool.create();
  private final CountingChannel channel = pool.channel;

  @BeforeEach
  void fill() {
    for (int i = 0; i < KEYS; i++) {
      pool.insert(index, TreePool.key(i * 10L), 16);
    }
    channel.label("measured");
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private long roundTrips(Runnable operation) {
    FabricCounters before = channel.counters("measured").snapshot();
    operation.run();
    return channel.counters("measured").since(before).roundTrips();
  }

  @Test
  void shouldLookUpInOneRoundTrip() {
    assertEquals(
        1, roundTrips(() -> assertEquals(16, index.get(channel, TreePool.key(70_000), 8))));
  }

  @Test
  void shouldSeekAndAdvanceInOneRoundTripEach() {
    LeafCursor cursor = new LeafCursor(index);
    byte[] bound = TreePool.key(70_000);
    assertEquals(
        1,
        roundTrips(
            () -> cursor.seek(channel, bound, 8, true, ScanDirection.ASCENDING, LeafGuard.NONE)));
    assertEquals(1, roundTrips(() -> cursor.nextLeaf(channel)));
    assertEquals(
        1,
        roundTrips(
            () -> cursor.seek(channel, bound, 8, true, ScanDirection.DESCENDING, LeafGuard.NONE)));
    assertEquals(1, roundTrips(() -> cursor.nextLeaf(channel)));
  }

  @Test
  void shouldBatchReadsWhenVisitingAllNodes() {
    TreeStatistics size = index.statistics(channel);
    long nodes = size.leaves() + size.innerNodes();
    long most = nodes / 20 + 10L * size.height();
    assertTrue(nodes > 400 && most < nodes / 8, size.toString());
    assertAtMost(most, () -> index.statistics(channel));
    assertAtMost(most, () -> assertFalse(index.isTorn(channel, 1)));
    assertAtMost(most, () -> assertEquals(0, index.repair(channel, pool.allocator, 1)));
    long[] seen = new long[2];
    TreeSweepVisitor sweep =
        new TreeSweepVisitor() {
          @Override
          public void memory(long address, int sizeClass) {
            seen[0]++;
          }

          @Override
          public boolean keeps(byte[] key, int length, long cvt) {
            seen[1]++;
            return true;
          }
        };
    assertAtMost(most, () -> assertEquals(0, index.sweep(channel, sweep)));
    assertEquals(nodes + 1, seen[0], "and the root block");
    assertEquals(KEYS, seen[1]);
  }

  private void assertAtMost(long most, Runnable operation) {
    long count = roundTrips(operation);
    assertTrue(count <= most, () -> "round trips=" + count + " at most=" + most);
  }

  @Test
  void shouldInsertAndRemoveInTwoRoundTrips() {
    byte[] key = TreePool.key(KEYS * 10L);
    pool.insert(index, TreePool.key(KEYS * 10L - 5), 16);
    assertEquals(
        2, roundTrips(() -> assertEquals(IndexResult.INSERTED, pool.insert(index, key, 16))));
    assertEquals(
        2, roundTrips(() -> assertEquals(IndexResult.REMOVED, pool.remove(index, key, 16))));
  }

  @Test
  void shouldFindTheWayAnewOnceWhenItsCopiesAreStale() {
    OrderedIndex other = pool.open(index.root(), 2);
    for (int i = 0; i < 2000; i++) {
      pool.insert(other, TreePool.key(70_000 + i / 200 * 10 + i % 200 % 9 + 1), 16);
    }
    byte[] key = TreePool.key(70_020);
    long first = roundTrips(() -> assertEquals(16, index.get(channel, key, 8)));
    assertTrue(first <= 6, () -> "round trips=" + first);
    assertEquals(1, roundTrips(() -> assertEquals(16, index.get(channel, key, 8))));
  }

  @Test
  void shouldMakeNoGarbage() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    LeafCursor cursor = new LeafCursor(index);
    byte[] key = TreePool.key(70_001);
    byte[] bound = TreePool.key(70_000);
    long before = 0;
    int rounds = 20_000;
    for (int i = 0; i < 2 * rounds; i++) {
      if (i == rounds) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      pool.insert(index, key, 16);
      cursor.seek(channel, bound, 8, true, ScanDirection.of(i % 2 == 0), LeafGuard.NONE);
      cursor.keyOffset(0);
      cursor.nextLeaf(channel);
      index.get(channel, bound, 8);
      pool.remove(index, key, 16);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < rounds, () -> "bytes=" + bytes);
  }
}
