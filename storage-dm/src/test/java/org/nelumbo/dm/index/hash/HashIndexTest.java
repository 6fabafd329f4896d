package org.nelumbo.dm.index.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.index.DamagedIndexException;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.FabricCounters;

class HashIndexTest {
  private static final int LOOKED_AT = 40;

  private TestPool pool;
  private HashIndex index;

  @BeforeEach
  void open() {
    pool = new TestPool(1, 64L << 20);
    index = pool.create();
  }

  @AfterEach
  void close() {
    pool.close();
  }

  /** Returns a key in the form of real keys: a shard in the low 12 bits, and a hash above them. */
  private static long key(long i, int shard) {
    return (KeyHash.mix(i + 17) << 12) | shard;
  }

  private long[] fill(int count, int shards) {
    long[] cvts = new long[count];
    for (int i = 0; i < count; i++) {
      cvts[i] = pool.cvt(key(i, i % shards));
      assertTrue(index.insert(pool.channel, pool.allocator, key(i, i % shards), cvts[i]));
    }
    return cvts;
  }

  private Set<Long> scan(HashIndex of) {
    Set<Long> seen = new HashSet<>();
    HashCursor cursor = of.newCursor();
    for (int count = cursor.next(pool.channel); count > 0; count = cursor.next(pool.channel)) {
      for (int i = 0; i < count; i++) {
        assertTrue(seen.add(cursor.cvt(i)), "returned twice");
      }
    }
    return seen;
  }

  @Test
  void shouldFindNothingWhenEmpty() {
    assertEquals(0, index.lookup(pool.channel, 42, new long[4]));
    assertEquals(0, index.newCursor().next(pool.channel));
    assertEquals(0, index.verify(pool.channel));
  }

  @Test
  void shouldFindEntryUntilRemoved() {
    long cvt = pool.cvt(42);
    assertTrue(index.insert(pool.channel, pool.allocator, 42, cvt));
    assertTrue(TestPool.finds(index, pool.channel, 42, cvt));
    assertTrue(index.contains(pool.channel, 42, cvt));
    assertTrue(index.remove(pool.channel, 42, cvt));
    assertFalse(TestPool.finds(index, pool.channel, 42, cvt));
    assertFalse(index.contains(pool.channel, 42, cvt));
    assertFalse(index.remove(pool.channel, 42, cvt));
  }

  @Test
  void shouldInsertAnEntryOnce() {
    long cvt = pool.cvt(42);
    assertTrue(index.insert(pool.channel, pool.allocator, 42, cvt));
    assertTrue(index.insert(pool.channel, pool.allocator, 42, cvt));
    assertEquals(1, index.lookup(pool.channel, 42, new long[4]));
    assertEquals(1, index.verify(pool.channel));
  }

  @Test
  void shouldInsertWithProbeOfLookup() {
    for (int i = 0; i < 20_000; i++) {
      assertTrue(
          TestPool.insertAfterLookup(
              index, pool.channel, pool.allocator, key(i, 3), pool.cvt(key(i, 3))));
    }
    assertEquals(20_000, index.verify(pool.channel));
  }

  @Test
  void shouldInsertWithProbeOutdatedBySplits() {
    fill(500, 5);
    HashProbe probe = new HashProbe();
    Channel other = pool.fabric.openChannel(TestPool.STAGING);
    assertEquals(0, index.lookupForInsert(other, 42, new long[4], probe));
    for (int i = 500; i < 20_000; i++) {
      long key = key(i, 5);
      assertTrue(index.insert(pool.channel, pool.allocator, key, pool.cvt(key)));
    }
    long cvt = pool.cvt(42);
    assertTrue(index.insert(other, pool.allocator, 42, cvt, probe));
    other.close();
    assertTrue(TestPool.finds(index, pool.channel, 42, cvt));
    assertEquals(20_001, index.verify(pool.channel));
  }

  @Test
  void shouldGrowToManySegmentsWithKeysOfOneShard() {
    long[] cvts = fill(60_000, 1);
    assertEquals(60_000, index.verify(pool.channel));
    HashIndex other = pool.open(index.root(), 2);
    for (int i = 0; i < cvts.length; i++) {
      assertTrue(TestPool.finds(index, pool.channel, key(i, 0), cvts[i]), "key lost i=" + i);
      assertTrue(TestPool.finds(other, pool.channel, key(i, 0), cvts[i]), "key lost i=" + i);
    }
    assertTrue(index.statistics(pool.channel).segments() >= 64);
  }

  @Test
  void shouldGrowFromOneSegmentToAMillionEntries() {
    int count = 1_000_000;
    double tolerance = count / 50.0;
    for (int i = 0; i < count; i++) {
      assertTrue(
          index.insert(pool.channel, pool.allocator, key(i, i & 7), pool.cvt(key(i, i & 7))));
    }
    HashStatistics statistics = index.statistics(pool.channel);
    assertTrue(Math.abs(statistics.entries() - count) < tolerance, statistics.toString());
    assertTrue(statistics.bytesPerEntry() <= 21, statistics.toString());
    assertTrue(statistics.depth() <= 13, statistics.toString());
    for (int i = 0; i < count; i += 7) {
      assertTrue(index.lookup(pool.channel, key(i, i & 7), new long[4]) > 0, "key lost i=" + i);
    }
  }

  @Test
  void shouldStayBalancedWithUnhashedKeys() {
    for (long i = 1; i <= 50_000; i++) {
      assertTrue(index.insert(pool.channel, pool.allocator, i, pool.cvt(i)));
    }
    HashStatistics statistics = index.statistics(pool.channel);
    assertTrue(statistics.loadFactor() > 0.35, statistics.toString());
    assertTrue(statistics.depth() <= 9, statistics.toString());
  }

  @Test
  void shouldUseFewBytesPerEntry() {
    assertEquals(8192, index.statistics(pool.channel).bytes());
    fill(10_000, 8);
    HashStatistics small = index.statistics(pool.channel);
    assertEquals(10_000, small.entries());
    assertTrue(small.bytesPerEntry() <= 22, small.toString());
    assertTrue(small.overflowBlocks() < small.segments() * 10, small.toString());
  }

  @Test
  void shouldNoticeSplitsMadeByAnotherComputeNode() {
    HashIndex other = pool.open(index.root(), 2);
    assertEquals(0, other.lookup(pool.channel, 1, new long[4]));
    long[] cvts = fill(30_000, 3);
    for (int i = 0; i < cvts.length; i++) {
      assertTrue(TestPool.finds(other, pool.channel, key(i, i % 3), cvts[i]), "key lost i=" + i);
    }
    assertEquals(30_000, scan(other).size());
  }

  @Test
  void shouldFindTheRestOfADirectoryThatWasBegun() {
    int count = 150_000;
    long[] cvts = fill(count, 100);
    long entries = index.estimate().entries();
    HashIndex begun = pool.open(index.root(), 2);
    begun.begin(pool.channel);
    assertTrue(Math.abs(entries - begun.estimate().entries()) < entries / 4);
    assertEquals(count, scan(begun).size());
    begun = pool.open(index.root(), 2);
    begun.begin(pool.channel);
    for (int i = 0; i < count; i++) {
      assertTrue(TestPool.finds(begun, pool.channel, key(i, i % 100), cvts[i]));
    }
    assertTrue(Math.abs(entries - begun.estimate().entries()) < entries / 4);
    for (int i = 0; i < count; i += 3) {
      assertTrue(begun.remove(pool.channel, key(i, i % 100), cvts[i]));
    }
    assertEquals(count - (count + 2) / 3, scan(index).size());
  }

  @Test
  void shouldChangeThroughADirectoryThatWasBegun() {
    int count = 60_000;
    fill(count, 100);
    HashIndex begun = pool.open(index.root(), 2);
    begun.begin(pool.channel);
    for (int i = count; i < 2 * count; i++) {
      long cvt = pool.cvt(key(i, i % 100));
      assertTrue(begun.insert(pool.channel, pool.allocator, key(i, i % 100), cvt));
    }
    assertEquals(2 * count, scan(begun).size());
    assertEquals(2 * count, begun.verify(pool.channel));
  }

  @Test
  void shouldChangeThroughAStaleDirectory() {
    HashIndex other = pool.open(index.root(), 2);
    other.lookup(pool.channel, 1, new long[4]);
    long[] cvts = fill(10_000, 3);
    for (int i = 0; i < cvts.length; i += 2) {
      assertTrue(other.remove(pool.channel, key(i, i % 3), cvts[i]));
    }
    HashIndex third = pool.open(index.root(), 3);
    third.lookup(pool.channel, 1, new long[4]);
    for (int i = 10_000; i < 30_000; i++) {
      assertTrue(
          third.insert(pool.channel, pool.allocator, key(i, i % 3), pool.cvt(key(i, i % 3))));
    }
    assertEquals(25_000, index.verify(pool.channel));
  }

  @Test
  void shouldReturnAllCvtsOfEqualKeys() {
    fill(2000, 1);
    for (int equal : new int[] {2, 16, 100}) {
      Set<Long> expected = new HashSet<>();
      for (int i = 0; i < equal; i++) {
        long cvt = pool.cvt(equal);
        assertTrue(index.insert(pool.channel, pool.allocator, equal, cvt));
        expected.add(cvt);
      }
      long[] out = new long[200];
      int count = index.lookup(pool.channel, equal, out);
      Set<Long> found = new HashSet<>();
      for (int i = 0; i < count; i++) {
        found.add(out[i]);
      }
      assertTrue(found.containsAll(expected));
    }
    fill(20_000, 2);
    index.verify(pool.channel);
    assertTrue(index.lookup(pool.channel, 100, new long[200]) >= 100);
    assertTrue(index.statistics(pool.channel).depth() <= 8, "equal keys made segments split");
  }

  @Test
  void shouldCountCandidatesBeyondOutputArray() {
    for (int i = 0; i < 40; i++) {
      index.insert(pool.channel, pool.allocator, 7, pool.cvt(7));
    }
    long[] out = new long[3];
    assertEquals(40, index.lookup(pool.channel, 7, out));
    assertTrue(out[0] != 0 && out[2] != 0);
  }

  /** Seventeen entries of one key fill its window and begin an overflow block. */
  @Test
  void shouldPutEntriesIntoTheOverflowBlockThatWasReadWithTheWindow() {
    for (int i = 0; i < 17; i++) {
      index.insert(pool.channel, pool.allocator, 7, pool.cvt(7));
    }
    long blocks = index.statistics(pool.channel).overflowBlocks();
    long cvt = pool.cvt(7);
    int mark = pool.channel.mark();
    HashProbe probe = new HashProbe();
    int lookup = index.postLookup(pool.channel, 7, probe);
    pool.channel.flush();
    assertEquals(HashIndex.NOT_POSTED, index.postInsert(pool.channel, 7, cvt, probe));
    OverflowReads overflow = new OverflowReads(1);
    overflow.post(pool.channel, 0, lookup, 7, probe);
    overflow.flush(pool.channel);
    assertEquals(17, overflow.collect(pool.channel, 0, index, lookup, 7, new long[32]));
    int insert = index.postInsert(pool.channel, 7, cvt, probe);
    pool.channel.flush();
    assertTrue(index.isInserted(pool.channel, insert, probe));
    pool.channel.release(mark);
    assertEquals(18, index.verify(pool.channel));
    assertEquals(blocks, index.statistics(pool.channel).overflowBlocks());
  }

  @Test
  void shouldRemoveEntriesFromOverflowBlocks() {
    long[] cvts = new long[60];
    for (int i = 0; i < cvts.length; i++) {
      cvts[i] = pool.cvt(7);
      index.insert(pool.channel, pool.allocator, 7, cvts[i]);
    }
    for (int i = 0; i < cvts.length; i++) {
      assertTrue(index.remove(pool.channel, 7, cvts[i]));
      assertEquals(cvts.length - i - 1, index.verify(pool.channel));
    }
    for (long cvt : cvts) {
      index.insert(pool.channel, pool.allocator, 7, cvt);
    }
    assertEquals(cvts.length, index.verify(pool.channel));
  }

  /**
   * A reader that pins between the timestamp and the removal of the last pointer to a block could
   * still read the block.
   */
  @Test
  void shouldDrawRetireTimestampAfterUnlinkingBlocks() {
    long root = HashIndex.create(pool.channel, pool.allocator);
    FabricCounters counters = pool.channel.counters(CountingChannel.UNLABELLED);
    ToLongFunction<Channel> writesSoFar = _ -> counters.writes() + counters.compareAndSwaps();
    index = new HashIndex(pool.environment, root, writesSoFar, 1);
    int[] retired = new int[1];
    pool.allocator.onRetire(
        timestamp -> {
          retired[0]++;
          assertEquals(writesSoFar.applyAsLong(null), timestamp, "something was written since");
        });
    fill(20_000, 4096);
    assertTrue(retired[0] > 0, "no block was retired");
  }

  @Test
  void shouldScanEveryEntryOnce() {
    long[] cvts = fill(20_000, 5);
    Set<Long> seen = scan(index);
    assertEquals(cvts.length, seen.size());
    for (long cvt : cvts) {
      assertTrue(seen.contains(cvt));
    }
  }

  @Test
  void shouldScanEveryStayingEntryOnceWhileTheIndexGrows() {
    long[] cvts = fill(3_000, 5);
    Set<Long> seen = new HashSet<>();
    HashCursor cursor = index.newCursor();
    int next = 3_000;
    for (int count = cursor.next(pool.channel); count > 0; count = cursor.next(pool.channel)) {
      for (int i = 0; i < count; i++) {
        assertTrue(seen.add(cursor.cvt(i)), "returned twice");
      }
      for (int i = 0; i < 500; i++, next++) {
        assertTrue(
            index.insert(
                pool.channel, pool.allocator, key(next, next % 5), pool.cvt(key(next, next % 5))));
      }
    }
    for (long cvt : cvts) {
      assertTrue(seen.contains(cvt));
    }
    cursor.start();
    assertTrue(cursor.next(pool.channel) > 0);
  }

  @Test
  void shouldWorkWithLittleStaging() {
    try (Channel narrow = pool.fabric.openChannel(1500)) {
      for (int i = 0; i < 5_000; i++) {
        long cvt = TestPool.cvt(narrow, pool.allocator, key(i, 1));
        assertTrue(index.insert(narrow, pool.allocator, key(i, 1), cvt));
      }
      assertEquals(5_000, index.verify(narrow));
      assertEquals(0, narrow.mark());
    }
  }

  @Test
  void shouldRetireEverythingWhenDropped() {
    fill(20_000, 3);
    for (int i = 0; i < 50; i++) {
      index.insert(pool.channel, pool.allocator, 7, pool.cvt(7));
    }
    long bytes = index.statistics(pool.channel).bytes();
    assertEquals(bytes, indexBytes());
    long retiredBefore = pool.allocator.retiredBytes();
    index.drop(pool.channel, pool.allocator);
    assertEquals(bytes, pool.allocator.retiredBytes() - retiredBefore);
    assertEquals(0, indexBytes());
  }

  private long indexBytes() {
    return pool.allocator.liveBytes(HashSegmentLayout.SIZE_CLASS)
        + pool.allocator.liveBytes(HashSegmentLayout.BLOCK_SIZE_CLASS);
  }

  @Test
  void shouldLeaveIndexUnchangedWhenPoolIsExhausted() {
    long[] cvts = fill(5_000, 3);
    int inserted = 5_000;
    int refused = 0;
    for (int i = inserted; refused < 100; i++) {
      long cvt = pool.cvt(key(i, 1));
      long before = indexBytes();
      pool.allocator.allow(i % 3);
      boolean added = index.insert(pool.channel, pool.allocator, key(i, 1), cvt);
      boolean grew = indexBytes() != before;
      pool.allocator.allowAll();
      inserted += added ? 1 : 0;
      if (!added) {
        refused++;
        assertFalse(grew, "memory was taken for nothing");
        assertFalse(index.contains(pool.channel, key(i, 1), cvt));
      }
    }
    assertEquals(inserted, index.verify(pool.channel));
    assertEquals(index.statistics(pool.channel).bytes(), indexBytes());
    for (int i = 0; i < cvts.length; i++) {
      assertTrue(index.contains(pool.channel, key(i, i % 3), cvts[i]));
    }
  }

  @Test
  void shouldSurviveAPoolThatIsReallyFull() {
    try (TestPool small = new TestPool(1, 600 << 10)) {
      HashIndex full = small.create();
      int inserted = 0;
      boolean room = true;
      while (room) {
        long cvt = small.cvt(key(inserted, 1));
        room = cvt != 0 && full.insert(small.channel, small.allocator, key(inserted, 1), cvt);
        inserted += room ? 1 : 0;
      }
      assertTrue(inserted > 5_000);
      assertEquals(inserted, full.verify(small.channel));
    }
  }

  @Test
  void shouldRefuseARootThatIsNoIndex() {
    HashIndex wrong = pool.open(pool.cvt(3), 1);
    assertThrows(DamagedIndexException.class, () -> wrong.lookup(pool.channel, 1, new long[4]));
    assertThrows(IllegalArgumentException.class, () -> pool.open(index.root(), 0));
  }

  /** Zeros do not contain the tag of a depth above 0. */
  @Test
  void shouldReportASegmentThatStaysTorn() {
    int count = 2_000;
    long[] cvts = fill(count, 64);
    int lines = HashSegmentLayout.LENGTH - HashSegmentLayout.LINES_OFFSET;
    int mark = pool.channel.mark();
    int zeros = pool.channel.reserve(lines);
    pool.channel.staging().asSlice(zeros, lines).fill((byte) 0);
    pool.channel.write(index.root() + HashSegmentLayout.LINES_OFFSET, zeros, lines);
    pool.channel.flush();
    pool.channel.release(mark);
    HashIndex damaged = new HashIndex(new ImpatientEnvironment(), index.root(), _ -> 1, 2);
    int lost = 0;
    for (int i = 0; i < LOOKED_AT; i++) {
      long key = key(i, i % 64);
      long cvt = cvts[i];
      try {
        assertTrue(TestPool.finds(damaged, pool.channel, key, cvt), "not found i=" + i);
      } catch (DamagedIndexException e) {
        lost++;
        assertReportsDamage(() -> damaged.contains(pool.channel, key, cvt));
        assertReportsDamage(() -> damaged.insert(pool.channel, pool.allocator, key, cvt));
        assertReportsDamage(() -> damaged.remove(pool.channel, key, cvt));
      }
    }
    assertTrue(lost > 0, "nothing was in the root");
    assertReportsDamage(() -> scan(damaged));
  }

  private static void assertReportsDamage(Runnable step) {
    assertThrows(DamagedIndexException.class, step::run);
  }

  @Test
  void shouldEstimateEntriesAfterRemovalAndReinsertion() {
    int count = 20_000;
    int kept = 1_000;
    long[] cvts = fill(count, 64);
    assertFalse(index.estimate().isOutdated());
    assertEquals(count, (double) index.estimate().entries(), count / 2.0);
    for (int i = kept; i < count; i++) {
      assertTrue(index.remove(pool.channel, key(i, i % 64), cvts[i]));
    }
    assertTrue(index.estimate().isOutdated());
    index.estimate().measure(pool.channel);
    assertEquals(kept, (double) index.estimate().entries(), kept / 2.0);
    for (int i = kept; i < count; i++) {
      assertTrue(index.insert(pool.channel, pool.allocator, key(i, i % 64), cvts[i]));
    }
    assertTrue(index.estimate().isOutdated(), "segments are filled again without a split");
    index.estimate().measure(pool.channel);
    assertEquals(count, (double) index.estimate().entries(), count / 2.0);
    assertFalse(index.estimate().isOutdated());
  }
}
