package org.nelumbo.dm.index.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.FabricCounters;

/** Tests the round trips and verbs of operations, which are the same on every fabric. */
class HashIndexCostTest {
  private final TestPool pool = new TestPool(1, 64L << 20);
  private final HashIndex index = pool.create();
  private final CountingChannel channel = pool.fabric.openChannel(1 << 20);

  @AfterEach
  void close() {
    channel.close();
    pool.close();
  }

  private FabricCounters count(Runnable body) {
    Map<String, FabricCounters> before = pool.fabric.snapshot();
    channel.label("measured");
    body.run();
    channel.label(CountingChannel.UNLABELLED);
    return pool.fabric.since(before).getOrDefault("measured", new FabricCounters());
  }

  private long[] fill(int count) {
    long[] cvts = new long[count];
    for (int i = 0; i < count; i++) {
      cvts[i] = pool.cvt(i + 1);
      assertTrue(index.insert(channel, pool.allocator, i + 1, cvts[i]));
    }
    return cvts;
  }

  @Test
  void shouldLookUpWithOneReadOf128Bytes() {
    fill(400);
    long[] out = new long[4];
    FabricCounters cost = count(() -> index.lookup(channel, 17, out));
    assertEquals(1, cost.roundTrips());
    assertEquals(1, cost.reads());
    assertEquals(128, cost.bytesIn());
    assertEquals(1, cost.verbs());
  }

  @Test
  void shouldLookManyKeysUpInOneRoundTrip() {
    fill(400);
    long[] out = new long[4];
    FabricCounters cost =
        count(
            () -> {
              int mark = channel.mark();
              int[] tickets = new int[20];
              for (int i = 0; i < tickets.length; i++) {
                tickets[i] = index.postLookup(channel, i + 1);
              }
              channel.flush();
              for (int i = 0; i < tickets.length; i++) {
                assertEquals(1, index.collect(channel, tickets[i], i + 1, out));
              }
              channel.release(mark);
            });
    assertEquals(1, cost.roundTrips());
    assertEquals(20, cost.verbs());
  }

  /**
   * The bound also holds where many windows have overflow blocks, as shortly before their segments
   * split.
   */
  @Test
  void shouldReadOverflowBlocksOfManyLookupsInOneRoundTripMore() {
    int filled = 0;
    while (index.statistics(pool.channel).overflowBlocks() < 10) {
      for (int end = filled + 100; filled < end; filled++) {
        assertTrue(index.insert(channel, pool.allocator, filled + 1, pool.cvt(filled + 1)));
      }
    }
    int keys = filled;
    long[] out = new long[HashIndex.USUAL_CANDIDATES];
    OverflowReads overflow = new OverflowReads(keys);
    FabricCounters cost =
        count(
            () -> {
              int mark = channel.mark();
              int[] tickets = new int[keys];
              for (int i = 0; i < keys; i++) {
                tickets[i] = index.postLookup(channel, i + 1);
              }
              channel.flush();
              for (int i = 0; i < keys; i++) {
                overflow.post(channel, i, tickets[i], i + 1);
              }
              overflow.flush(channel);
              for (int i = 0; i < keys; i++) {
                assertTrue(overflow.collect(channel, i, index, tickets[i], i + 1, out) >= 1);
              }
              channel.release(mark);
            });
    assertEquals(2, cost.roundTrips());
  }

  @Test
  void shouldInsertAndRemoveInTwoRoundTrips() {
    long[] cvts = fill(400);
    long cvt = pool.cvt(5000);
    FabricCounters insert = count(() -> index.insert(channel, pool.allocator, 5000, cvt));
    assertEquals(2, insert.roundTrips());
    assertEquals(4, insert.verbs());
    FabricCounters remove = count(() -> index.remove(channel, 3, cvts[2]));
    assertEquals(2, remove.roundTrips());
    assertEquals(4, remove.verbs());
  }

  /**
   * One round trip each to look up, to latch and read the segment, and to write; one more to read a
   * full overflow block.
   */
  @Test
  void shouldMakeRoomInAFewRoundTrips() {
    int[] inserts = new int[64];
    int filled = 5_000;
    for (int i = 1; i <= filled; i++) {
      long key = i;
      long cvt = pool.cvt(key);
      FabricCounters cost = count(() -> index.insert(channel, pool.allocator, key, cvt));
      inserts[(int) Math.min(cost.roundTrips(), inserts.length - 1)]++;
    }
    String picture = Arrays.toString(inserts);
    HashStatistics statistics = index.statistics(pool.channel);
    int splits = (int) statistics.segments() - 1;
    int upToFive = inserts[2] + inserts[3] + inserts[4] + inserts[5];
    assertEquals(filled - splits, upToFive, picture);
    assertEquals(splits, Arrays.stream(inserts, 6, 17).sum(), picture);
    assertTrue(inserts[3] > 20, picture);
  }

  @Test
  void shouldInsertAfterALookupInTwoRoundTripsWithIt() {
    fill(400);
    long cvt = pool.cvt(5000);
    FabricCounters cost =
        count(() -> TestPool.insertAfterLookup(index, channel, pool.allocator, 5000, cvt));
    assertEquals(2, cost.roundTrips());
    assertEquals(3, cost.verbs());
  }

  @Test
  void shouldCostNoVerbToPrefetch() {
    fill(400);
    FabricCounters cost = count(() -> index.prefetchForInsert(channel, 17));
    assertEquals(0, cost.verbs());
    assertEquals(0, cost.roundTrips());
  }

  @Test
  void shouldStayNearOneRoundTripALookupAtAnyFilling() {
    long[] out = new long[HashIndex.USUAL_CANDIDATES];
    int filled = 0;
    for (int size : new int[] {600, 1_500, 5_000, 11_000, 23_000, 47_000}) {
      for (; filled < size; filled++) {
        assertTrue(index.insert(channel, pool.allocator, filled + 1, pool.cvt(filled + 1)));
      }
      FabricCounters cost =
          count(
              () -> {
                for (int i = 1; i <= size; i++) {
                  index.lookup(channel, i, out);
                }
              });
      assertTrue(cost.roundTrips() < size * 1.15, "size=" + size + " " + cost);
    }
  }

  @Test
  void shouldLoadTheDirectoryInFewRoundTrips() {
    fill(60_000);
    HashIndex other = pool.open(index.root(), 2);
    FabricCounters cost = count(() -> other.lookup(channel, 17, new long[4]));
    assertTrue(cost.roundTrips() <= 12, cost.toString());
  }

  @Test
  void shouldReadLittleToBeginTheDirectory() {
    fill(200_000);
    HashIndex other = pool.open(index.root(), 2);
    FabricCounters cost = count(() -> other.begin(channel));
    assertTrue(cost.roundTrips() <= 4, cost.toString());
    assertTrue(cost.reads() < 150, cost.toString());
  }
}
