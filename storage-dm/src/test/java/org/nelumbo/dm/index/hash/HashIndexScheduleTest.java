package org.nelumbo.dm.index.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.litmus.Interleaving;
import org.nelumbo.dm.litmus.SteppedFabric;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.dm.pool.Channel;

/**
 * Tests several compute nodes on one small index, with their verbs interleaved at random from a
 * seed.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HashIndexScheduleTest {
  private static final int NODES = 3;
  private static final int CHANGES = 60;

  /**
   * Number of keys whose CVTs stay during the whole test; a few more keys split the only segment.
   */
  private static final int STAYING = 735;

  @ParameterizedTest
  @ValueSource(longs = {1, 1001, 2001, 3001})
  void shouldKeepEveryEntryUnderAnySchedule(long firstSeed) {
    long splits = 0;
    for (long seed = firstSeed; seed < firstSeed + 25; seed++) {
      try (TestPool pool = new TestPool(2, 8L << 20)) {
        splits += run(pool, seed) - 1;
      } catch (AssertionError e) {
        throw new AssertionError("seed=" + seed, e);
      }
    }
    assertTrue(splits > 12, "splits=" + splits);
  }

  /** Runs one schedule; returns the number of segments at its end. */
  private static long run(TestPool pool, long seed) {
    HashIndex index = pool.create();
    Map<Long, Long> staying = new HashMap<>();
    for (long key = 1; key <= STAYING; key++) {
      long cvt = pool.cvt(key);
      assertTrue(index.insert(pool.channel, pool.allocator, key, cvt));
      staying.put(key, cvt);
    }
    Interleaving interleaving = new Interleaving(seed);
    Set<Long> added = new HashSet<>();
    List<AutoCloseable> opened = new ArrayList<>();
    SteppedFabric stepped = new SteppedFabric(pool.fabric, interleaving::step);
    for (int node = 1; node <= NODES; node++) {
      HashIndex own =
          new HashIndex(
              new SteppingEnvironment(interleaving::step),
              index.root(),
              _ -> pool.clock.get(),
              node);
      Channel channel = stepped.openChannel(TestPool.STAGING);
      PoolAllocator allocator = pool.chunks.newAllocator(channel);
      opened.add(allocator);
      opened.add(channel);
      long base = node * 10_000L;
      interleaving.actor(() -> change(own, channel, allocator, base, seed, added));
      Channel reading = stepped.openChannel(TestPool.STAGING);
      opened.add(reading);
      interleaving.actor(() -> read(own, reading, staying, seed + base));
    }
    interleaving.run();
    assertEquals(STAYING + added.size(), index.verify(pool.channel));
    Set<Long> scanned = new HashSet<>();
    HashCursor cursor = index.newCursor();
    for (int count = cursor.next(pool.channel); count > 0; count = cursor.next(pool.channel)) {
      for (int i = 0; i < count; i++) {
        scanned.add(cursor.cvt(i));
      }
    }
    assertTrue(scanned.containsAll(added));
    assertTrue(scanned.containsAll(staying.values()));
    closeAll(opened);
    return index.statistics(pool.channel).segments();
  }

  private static void closeAll(List<AutoCloseable> opened) {
    for (AutoCloseable resource : opened) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void change(
      HashIndex own,
      Channel channel,
      PoolAllocator allocator,
      long base,
      long seed,
      Set<Long> added) {
    SplittableRandom random = new SplittableRandom(seed ^ base);
    List<long[]> mine = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      if (random.nextInt(4) == 0 && !mine.isEmpty()) {
        long[] entry = mine.remove(random.nextInt(mine.size()));
        assertTrue(own.remove(channel, entry[0], entry[1]), "not there to be removed");
        added.remove(entry[1]);
      } else {
        long key = base + random.nextInt(40);
        long cvt = TestPool.cvt(channel, allocator, key);
        assertTrue(
            i % 2 == 0
                ? own.insert(channel, allocator, key, cvt)
                : TestPool.insertAfterLookup(own, channel, allocator, key, cvt));
        assertTrue(own.contains(channel, key, cvt), "not there after insert");
        added.add(cvt);
        mine.add(new long[] {key, cvt});
      }
    }
  }

  private static void read(HashIndex own, Channel channel, Map<Long, Long> staying, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 400; i++) {
      long key = 1L + random.nextInt(STAYING);
      assertTrue(TestPool.finds(own, channel, key, staying.get(key)), "missed key=" + key);
    }
  }
}
