package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.index.LeafGuard;

/**
 * Tests the fill factor of leaves after typical loads, and the number of leaves of a table that is
 * used as a queue.
 */
@Timeout(120)
class TreeSpaceTest {
  private final TreePool pool = new TreePool(128 << 20);
  private final OrderedIndex index = pool.create();

  @AfterEach
  void close() {
    pool.close();
  }

  private TreeStatistics statistics() {
    return index.statistics(pool.channel);
  }

  @Test
  void shouldFillLeavesWhenKeysAscend() {
    for (int i = 0; i < 1_000_000; i++) {
      pool.insert(index, TreePool.key(1, 2, i / 10, i % 10), 16);
    }
    assertEquals(1_000_000, index.verify(pool.channel));
    assertTrue(statistics().leafFill() > 0.95, () -> statistics().toString());
    assertTrue(statistics().entriesPerLeaf() > 85, () -> statistics().toString());
  }

  /** Many districts insert ascending orders of ten lines, in random order of districts. */
  @Test
  void shouldFillLeavesWithManyAscendingRuns() {
    Random random = new Random(1);
    int[] orders = new int[100];
    for (int i = 0; i < 60_000; i++) {
      int district = random.nextInt(orders.length);
      int order = orders[district]++;
      for (int line = 0; line < 10; line++) {
        pool.insert(index, TreePool.key(district / 10, district % 10, order, line), 16);
      }
    }
    assertEquals(600_000, index.verify(pool.channel));
    assertTrue(statistics().leafFill() > 0.9, () -> statistics().toString());
    assertTrue(statistics().entriesPerLeaf() > 80, () -> statistics().toString());
  }

  @Test
  void shouldFillLeavesWhenKeysDescend() {
    for (int i = 100_000; i > 0; i--) {
      pool.insert(index, TreePool.key(1, 2, i / 10, i % 10), 16);
    }
    assertEquals(100_000, index.verify(pool.channel));
    assertTrue(statistics().leafFill() > 0.9, () -> statistics().toString());
  }

  @Test
  void shouldFillLeavesAtLeastHalfWhenKeysAreRandom() {
    Random random = new Random(1);
    for (int i = 0; i < 200_000; i++) {
      pool.insert(index, TreePool.key(random.nextLong()), 16);
    }
    index.verify(pool.channel);
    assertTrue(statistics().leafFill() > 0.6, () -> statistics().toString());
  }

  /**
   * The queue is TPC-C's new orders: ten queues in one index, and each delivery searches the oldest
   * order of each. An empty leaf that is the last one of an inner node stays while other leaves of
   * that node are in use, so a few searches read two leaves.
   */
  @Test
  void shouldStaySmallAsAQueue() {
    int districts = 10;
    int length = 900;
    int rounds = 40_000;
    LeafCursor cursor = new LeafCursor(index);
    int leavesRead = 0;
    for (int order = 0; order < rounds; order++) {
      for (int district = 0; district < districts; district++) {
        pool.insert(index, TreePool.key(0, district, order, 0), 16);
        if (order >= length) {
          byte[] bound = TreePool.key(0, district, 0, 0);
          cursor.seek(pool.channel, bound, 8, true, ScanDirection.ASCENDING, LeafGuard.NONE);
          leavesRead++;
          while (cursor.count() == 0) {
            assertEquals(IndexResult.OK, cursor.nextLeaf(pool.channel));
            leavesRead++;
          }
          byte[] oldest = TreePool.key(0, district, order - length, 0);
          assertEquals(0, cursor.compareKey(0, oldest, 16));
          assertEquals(IndexResult.REMOVED, pool.remove(index, oldest, 16));
          index.removeEmptyLeaves(pool.channel, pool.allocator, LeafGuard.NONE, 2);
        }
      }
      if (order % 100 == 0) {
        pool.horizon.set(pool.clock.incrementAndGet());
      }
    }
    assertEquals(districts * length, index.verify(pool.channel));
    TreeStatistics statistics = statistics();
    assertTrue(statistics.leaves() < 200, statistics::toString);
    assertTrue(statistics.height() <= 3, statistics::toString);
    double perSeek = (double) leavesRead / ((rounds - length) * districts);
    assertTrue(perSeek < 1.3, () -> "leaves read a seek: " + perSeek);
    assertTrue(pool.chunks.takenBytes() < 8 << 20, () -> "bytes=" + pool.chunks.takenBytes());
  }
}
