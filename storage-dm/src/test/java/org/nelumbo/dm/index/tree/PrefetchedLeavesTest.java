package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.CountingChannel;

/** Tests scans over copies of leaves that were read before. */
class PrefetchedLeavesTest {
  private static final int KEYS = 2000;

  private final TreePool pool = new TreePool(64 << 20);
  private final OrderedIndex index = pool.create();
  private final CountingChannel channel = pool.channel;
  private final PrefetchedLeaves leaves = new PrefetchedLeaves(32);
  private final LeafCursor cursor = new LeafCursor(index);
  private final TreeSet<Long> keys = new TreeSet<>();

  @BeforeEach
  void fill() {
    for (long key = 0; key < KEYS; key++) {
      insert(key * 10);
    }
    cursor.use(leaves);
    scan(0, Long.MAX_VALUE, true);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private void insert(long key) {
    if (keys.add(key)) {
      pool.insert(index, TreePool.key(key), 16);
    }
  }

  private long roundTrips() {
    return channel.counters(CountingChannel.UNLABELLED).roundTrips();
  }

  /** Reads the leaf where a scan from {@code key} begins, and others; returns its address. */
  private long post(long key, boolean ascending) {
    long leaf = cursor.firstLeaf(channel, TreePool.key(key), 8, ScanDirection.of(ascending));
    assertTrue(leaves.post(channel, index, leaf, true));
    return leaf;
  }

  private void read() {
    channel.flush();
    leaves.accept(channel);
    channel.release(0);
  }

  /**
   * Returns up to {@code count} keys from {@code from} on, or below it if the scan is descending.
   */
  private List<Long> scan(long from, long count, boolean ascending) {
    List<Long> found = new ArrayList<>();
    int status =
        cursor.seek(
            channel, TreePool.key(from), 8, ascending, ScanDirection.of(ascending), LeafGuard.NONE);
    while (status == IndexResult.OK && found.size() < count) {
      for (int i = 0; i < cursor.count() && found.size() < count; i++) {
        found.add(TreePool.number(cursor.keyBytes(), cursor.keyOffset(i)));
      }
      status = cursor.nextLeaf(channel);
    }
    return found;
  }

  private List<Long> expected(NavigableSet<Long> of, long from, long count, boolean ascending) {
    return (ascending ? of.tailSet(from, true) : of.headSet(from, false).descendingSet())
        .stream().limit(count).toList();
  }

  @Test
  void shouldReadLeavesOfManyScansInOneRoundTrip() {
    long before = roundTrips();
    for (int i = 0; i < 20; i++) {
      post(i * 900, true);
      post(i * 900, false);
    }
    read();
    assertEquals(1, roundTrips() - before);
    for (int i = 0; i < 20; i++) {
      cursor.seek(channel, TreePool.key(i * 900), 8, true, ScanDirection.ASCENDING, LeafGuard.NONE);
      assertTrue(cursor.count() > 0);
    }
    assertEquals(1, roundTrips() - before);
    for (int i = 0; i < 20; i++) {
      for (boolean ascending : new boolean[] {true, false}) {
        assertEquals(expected(keys, i * 900, 100, ascending), scan(i * 900, 100, ascending));
      }
    }
  }

  @Test
  void shouldKeepLeafOnceAndRefuseWhenFull() {
    post(0, true);
    post(1, true);
    read();
    assertEquals(1, leaves.size());
    Set<Long> addresses = new LinkedHashSet<>();
    for (long key : keys) {
      addresses.add(cursor.firstLeaf(channel, TreePool.key(key), 8, ScanDirection.ASCENDING));
    }
    List<Long> all = List.copyOf(addresses);
    PrefetchedLeaves few = new PrefetchedLeaves(4);
    for (int i = 0; i < all.size(); i++) {
      assertEquals(i < 4, few.post(channel, index, all.get(i), true), "i=" + i);
    }
    channel.flush();
    few.accept(channel);
    channel.release(0);
    assertEquals(4, few.size());
    assertTrue(few.post(channel, index, all.get(0), true), "it has a copy");
    assertFalse(few.post(channel, index, all.get(4), true));
    few.truncate(3);
    assertTrue(few.post(channel, index, all.get(4), true));
    channel.release(0);
  }

  @Test
  void shouldNotKeepLeafBeingWritten() {
    long leaf = post(500, true);
    channel.release(0);
    leaves.truncate(0);
    Node node = new Node();
    index.access().read(channel, leaf, node);
    long header = leaf + TreeNodeLayout.HEADER_OFFSET;
    channel.writeLong(header, TreeNodeLayout.writing(node.header()));
    channel.flush();
    post(500, true);
    read();
    assertEquals(0, leaves.size());
    channel.writeLong(header, node.header());
    channel.flush();
    post(500, true);
    read();
    assertEquals(1, leaves.size());
    leaves.forget(pool.create());
    assertEquals(1, leaves.size());
    leaves.forget(index);
    assertEquals(0, leaves.size());
  }

  @Test
  void shouldSeekInCopiesOnly() {
    long leaf = post(500, true);
    read();
    long before = roundTrips();
    assertTrue(cursor.seekPrefetched(leaf, TreePool.key(500), 8, ScanDirection.ASCENDING));
    assertEquals(500, TreePool.number(cursor.keyBytes(), cursor.keyOffset(0)));
    assertFalse(
        cursor.seekPrefetched(leaf, TreePool.key(KEYS * 9), 8, ScanDirection.ASCENDING),
        "not in its range");
    assertFalse(
        cursor.seekPrefetched(leaf + 1024, TreePool.key(500), 8, ScanDirection.ASCENDING),
        "not read");
    assertEquals(before, roundTrips());
  }

  /**
   * As with a slow reader, a scan returns all keys from the time when the copies were read, and
   * possibly later ones, in order.
   */
  @RepeatedTest(20)
  void shouldReturnAllKeysAfterLeavesSplit(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    for (int i = 0; i < 10; i++) {
      post(random.nextInt(KEYS * 10), random.nextBoolean());
    }
    read();
    TreeSet<Long> old = new TreeSet<>(keys);
    long gap = random.nextInt(KEYS * 10);
    for (int i = 0; i < 400; i++) {
      insert(gap + random.nextInt(300));
    }
    for (int i = 0; i < 30; i++) {
      long from = random.nextInt(KEYS * 10);
      for (boolean ascending : new boolean[] {true, false}) {
        List<Long> found = scan(from, Long.MAX_VALUE, ascending);
        TreeSet<Long> shown = new TreeSet<>(found);
        assertTrue(shown.containsAll(expected(old, from, Long.MAX_VALUE, ascending)));
        assertTrue(keys.containsAll(found));
        assertEquals(shown.size(), found.size(), "an entry was shown twice from " + from);
        List<Long> sorted = new ArrayList<>(shown);
        assertEquals(ascending ? sorted : sorted.reversed(), found);
      }
    }
    assertEquals(keys.size(), index.verify(channel));
    leaves.truncate(0);
    assertEquals(new ArrayList<>(keys), scan(0, Long.MAX_VALUE, true));
  }
}
