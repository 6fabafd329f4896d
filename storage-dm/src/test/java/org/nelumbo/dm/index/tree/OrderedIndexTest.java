package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.TrackingAllocator;
import org.nelumbo.dm.pool.PoolAddress;

class OrderedIndexTest {
  private static final byte[] OPEN = new byte[0];

  private final TreePool pool = new TreePool(16 << 20);
  private final OrderedIndex index = pool.create();

  @AfterEach
  void close() {
    pool.close();
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      assertEquals(IndexResult.INSERTED, pool.insert(index, TreePool.key(i * 2L), 16L + i));
    }
  }

  @Test
  void shouldBeEmptyAtFirst() {
    LeafCursor cursor = new LeafCursor(index);
    assertEquals(
        IndexResult.OK,
        cursor.seek(pool.channel, OPEN, 0, true, ScanDirection.ASCENDING, LeafGuard.NONE));
    assertEquals(0, cursor.count());
    assertEquals(IndexResult.END, cursor.nextLeaf(pool.channel));
    assertEquals(
        IndexResult.OK,
        cursor.seek(pool.channel, OPEN, 0, true, ScanDirection.DESCENDING, LeafGuard.NONE));
    assertEquals(IndexResult.END, cursor.nextLeaf(pool.channel));
    assertEquals(PoolAddress.NULL, index.get(pool.channel, OPEN, 0));
    assertEquals(0, index.verify(pool.channel));
  }

  @Test
  void shouldMapKeyToLatestAddress() {
    byte[] key = TreePool.key(7);
    assertEquals(IndexResult.INSERTED, pool.insert(index, key, 16));
    assertEquals(IndexResult.PRESENT, pool.insert(index, key, 16));
    assertEquals(IndexResult.PRESENT, pool.insert(index, key, 32));
    assertEquals(32, index.get(pool.channel, key, 8));
    assertEquals(IndexResult.ABSENT, pool.remove(index, key, 16));
    assertEquals(IndexResult.REMOVED, pool.remove(index, key, 32));
    assertEquals(IndexResult.ABSENT, pool.remove(index, key, 32));
    assertEquals(PoolAddress.NULL, index.get(pool.channel, key, 8));
  }

  @Test
  void shouldHoldAddressesOf48Bits() {
    long last = PoolAddress.MASK;
    pool.insert(index, TreePool.key(1), last);
    pool.insert(index, TreePool.key(2), 1);
    assertEquals(last, index.get(pool.channel, TreePool.key(1), 8));
    assertEquals(1, index.get(pool.channel, TreePool.key(2), 8));
  }

  @Test
  void shouldRefuseLongKeysClearly() {
    byte[] longest = new byte[OrderedIndex.KEY_LENGTH_MAX];
    assertEquals(IndexResult.INSERTED, pool.insert(index, longest, 16));
    byte[] longer = new byte[OrderedIndex.KEY_LENGTH_MAX + 1];
    var error = assertThrows(IllegalArgumentException.class, () -> pool.insert(index, longer, 16));
    assertEquals("index key too long bytes=201 limit=200", error.getMessage());
    assertEquals(IndexResult.ABSENT, pool.remove(index, longer, 16));
    LeafCursor cursor = new LeafCursor(index);
    assertEquals(
        IndexResult.OK,
        cursor.seek(
            pool.channel, longer, longer.length, true, ScanDirection.DESCENDING, LeafGuard.NONE));
    assertEquals(1, cursor.count());
  }

  /** Threads of applications outlive databases, which are large. */
  @Test
  void shouldNotBeRetainedByThreadThatSplitNodes() {
    WeakReference<TrackingAllocator> closed = fillAnother();
    for (int i = 0; i < 200 && closed.get() != null; i++) {
      System.gc();
    }
    assertNull(closed.get());
  }

  private static WeakReference<TrackingAllocator> fillAnother() {
    try (TreePool other = new TreePool(16 << 20)) {
      OrderedIndex its = other.create();
      for (int i = 0; i < 1000; i++) {
        other.insert(its, TreePool.key(i), 16L + i);
      }
      return new WeakReference<>(other.allocator);
    }
  }

  @Test
  void shouldReportWhetherLeafReachesBound() {
    fill(1000);
    LeafCursor cursor = new LeafCursor(index);
    cursor.seek(pool.channel, TreePool.key(10), 8, true, ScanDirection.ASCENDING, LeafGuard.NONE);
    assertTrue(cursor.reaches(TreePool.key(20), 8, true));
    assertEquals(false, cursor.reaches(TreePool.key(1900), 8, true));
    assertEquals(false, cursor.reaches(OPEN, 0, true));
    cursor.seek(
        pool.channel, TreePool.key(1900), 8, true, ScanDirection.DESCENDING, LeafGuard.NONE);
    assertTrue(cursor.reaches(TreePool.key(1890), 8, true));
    assertEquals(false, cursor.reaches(TreePool.key(10), 8, true));
  }

  /**
   * If an exclusive upper bound is equal to a fence, the scan begins at the leaf below it, which is
   * the first one with an entry.
   */
  @Test
  void shouldSeekBelowAFenceInOneLeaf() {
    fill(1000);
    LeafCursor cursor = new LeafCursor(index);
    cursor.seek(pool.channel, OPEN, 0, true, ScanDirection.ASCENDING, LeafGuard.NONE);
    byte[] last =
        TreePool.key(TreePool.number(cursor.keyBytes(), cursor.keyOffset(cursor.count() - 1)));
    cursor.nextLeaf(pool.channel);
    byte[] first = TreePool.key(TreePool.number(cursor.keyBytes(), cursor.keyOffset(0)));
    int fence = Arrays.mismatch(last, first) + 1;
    cursor.seek(pool.channel, first, fence, false, ScanDirection.DESCENDING, LeafGuard.NONE);
    assertTrue(cursor.count() > 0);
    assertEquals(TreePool.number(last, 0), TreePool.number(cursor.keyBytes(), cursor.keyOffset(0)));
  }

  @Test
  void shouldLeaveIndexUnchangedWhenPoolIsExhausted() {
    pool.allocator.allow(0);
    int count = 0;
    while (pool.insert(index, TreePool.key(count * 2L), 16) == IndexResult.INSERTED) {
      count++;
    }
    long odd = 1;
    while (pool.insert(index, TreePool.key(odd), 16) == IndexResult.INSERTED) {
      odd += 2;
      count++;
    }
    Map<Long, Integer> live = pool.allocator.live();
    assertEquals(IndexResult.EXHAUSTED, pool.insert(index, TreePool.key(odd), 16));
    assertEquals(live, pool.allocator.live());
    assertEquals(count, index.verify(pool.channel));
    pool.allocator.allowAll();
    assertEquals(IndexResult.INSERTED, pool.insert(index, TreePool.key(odd), 16));
    assertEquals(count + 1, index.verify(pool.channel));
  }

  /**
   * There is memory for the leaf but not for its parents: the entry is inserted, and the missing
   * separators are added later.
   */
  @Test
  void shouldMakeUpForSeparatorsThatFoundNoMemory() {
    int count = 0;
    long missing = 0;
    while (missing < 3) {
      pool.allocator.allow(1);
      assertEquals(IndexResult.INSERTED, pool.insert(index, TreePool.key(count++ * 2L), 16));
      missing =
          index.statistics(pool.channel).missingSeparators()
              + index.statistics(pool.channel).leaves()
              - 1;
    }
    assertEquals(count, index.verify(pool.channel));
    pool.allocator.allowAll();
    for (int i = 0; i < count; i++) {
      assertEquals(IndexResult.INSERTED, pool.insert(index, TreePool.key(i * 2L + 1), 16));
    }
    assertEquals(2 * count, index.verify(pool.channel));
    assertEquals(0, index.statistics(pool.channel).missingSeparators());
  }

  @Test
  void shouldNotBeCreatedInAFullPool() {
    Map<Long, Integer> live = pool.allocator.live();
    for (int allowance = 0; allowance < 2; allowance++) {
      pool.allocator.allow(allowance);
      assertEquals(PoolAddress.NULL, OrderedIndex.create(pool.channel, pool.allocator));
      assertEquals(live, pool.allocator.live());
    }
  }

  @Test
  void shouldFreeAllMemoryWhenDropped() {
    fill(20_000);
    for (int i = 5_000; i < 10_000; i++) {
      pool.remove(index, TreePool.key(i * 2L), 16L + i);
      index.removeEmptyLeaves(pool.channel, pool.allocator, LeafGuard.NONE, 2);
    }
    index.drop(pool.channel, pool.allocator);
    assertEquals(Map.of(), pool.allocator.live());
  }

  @Test
  void shouldRefuseOwnersThatDoNotFitTheLatch() {
    assertThrows(IllegalArgumentException.class, () -> pool.open(index.root(), 0));
    assertThrows(IllegalArgumentException.class, () -> pool.open(index.root(), (1 << 21) - 1));
    assertNotEquals(0, index.root());
  }

  @Test
  void shouldNoticeThatATreeIsBroken() {
    fill(1000);
    LeafCursor cursor = new LeafCursor(index);
    cursor.seek(pool.channel, OPEN, 0, true, ScanDirection.ASCENDING, LeafGuard.NONE);
    pool.channel.writeLong(cursor.leafAddress() + 16, PoolAddress.NULL);
    pool.channel.flush();
    assertThrows(IllegalStateException.class, () -> index.verify(pool.channel));
  }
}
