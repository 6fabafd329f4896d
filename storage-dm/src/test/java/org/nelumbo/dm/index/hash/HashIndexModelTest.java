package org.nelumbo.dm.index.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Compares the index with a map from keys to sets of CVTs, under random operations through the
 * index objects of two compute nodes.
 */
class HashIndexModelTest {
  @Property(seed = "1", tries = 60)
  void shouldBehaveAsAMapOfSets(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 3000) int keys,
      @ForAll @IntRange(min = 1, max = 9) int removals) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Long, Set<Long>> model = new HashMap<>();
    List<long[]> entries = new ArrayList<>();
    try (TestPool pool = new TestPool(1 + random.nextInt(3), 4L << 20)) {
      HashIndex first = pool.create();
      HashIndex second = pool.open(first.root(), 2);
      for (int step = 0; step < 4000; step++) {
        HashIndex index = random.nextBoolean() ? first : second;
        if (random.nextInt(10) >= removals || entries.isEmpty()) {
          long key = random.nextInt(keys) + 1L;
          long cvt = pool.cvt(key);
          boolean exhausted = random.nextInt(50) == 0;
          pool.allocator.allow(exhausted ? random.nextInt(3) : Long.MAX_VALUE);
          boolean added = index.insert(pool.channel, pool.allocator, key, cvt);
          pool.allocator.allowAll();
          assertTrue(added || exhausted);
          if (added) {
            model.computeIfAbsent(key, k -> new HashSet<>()).add(cvt);
            entries.add(new long[] {key, cvt});
          }
        } else {
          long[] entry = entries.remove(random.nextInt(entries.size()));
          assertTrue(index.remove(pool.channel, entry[0], entry[1]));
          assertFalse(index.remove(pool.channel, entry[0], entry[1]));
          model.get(entry[0]).remove(entry[1]);
        }
      }
      check(pool, first, model, keys);
      check(pool, second, model, keys);
      assertEquals(entries.size(), first.verify(pool.channel));
      assertEquals(entries.size(), first.statistics(pool.channel).entries());
    }
  }

  private static void check(TestPool pool, HashIndex index, Map<Long, Set<Long>> model, int keys) {
    long[] out = new long[4100];
    for (long key = 1; key <= keys; key++) {
      int count = index.lookup(pool.channel, key, out);
      Set<Long> found = new HashSet<>();
      for (int i = 0; i < count; i++) {
        if (TestPool.word(pool.channel, out[i]) == key) {
          assertTrue(found.add(out[i]), "returned twice");
        }
      }
      assertEquals(model.getOrDefault(key, Set.of()), found);
    }
  }
}
