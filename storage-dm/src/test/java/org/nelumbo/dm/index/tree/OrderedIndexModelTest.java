package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.nelumbo.dm.index.LeafGuard;

/** Compares random operations with a sorted map. */
class OrderedIndexModelTest {
  private static final byte[] ODD_BYTES = {0, 1, 'a', 'b', 127, (byte) 128, (byte) 255};

  private final TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
  private TreePool pool;
  private OrderedIndex index;
  private LeafCursor cursor;

  @BeforeTry
  void open() {
    pool = new TreePool(32 << 20);
    index = pool.create();
    cursor = new LeafCursor(index);
    model.clear();
  }

  @AfterTry
  void close() {
    pool.close();
  }

  @Property(seed = "1", tries = 60)
  void shouldDoAsASortedMapDoes(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 4) int shape,
      @ForAll @IntRange(min = 0, max = 9) int removeShare) {
    Random random = new Random(seed);
    for (int i = 0; i < 1500; i++) {
      byte[] key = key(random, shape);
      int choice = random.nextInt(20);
      if (choice < 1) {
        scan(random, shape);
      } else if (choice < 2) {
        index.removeEmptyLeaves(pool.channel, pool.allocator, LeafGuard.NONE, 4);
        pool.horizon.set(pool.clock.incrementAndGet());
      } else if (choice < 4) {
        insertAll(random, shape);
      } else if (random.nextInt(20) < removeShare * (i < 1000 ? 1 : 2)) {
        remove(random, key);
      } else {
        insert(key, 16 + random.nextInt(1 << 20) * 16L);
      }
    }
    assertEquals(model.size(), index.verify(pool.channel));
    scanAll(true);
    scanAll(false);
    model.forEach((key, cvt) -> assertEquals(cvt, index.get(pool.channel, key, key.length)));
  }

  @Property(seed = "1", tries = 30)
  void shouldBecomeSmallWhenAllIsRemoved(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 4) int shape) {
    Random random = new Random(seed);
    for (int i = 0; i < 3000; i++) {
      insert(key(random, shape), 16);
    }
    for (byte[] key : model.keySet().toArray(new byte[0][])) {
      assertEquals(IndexResult.REMOVED, pool.remove(index, key, 16));
      index.removeEmptyLeaves(pool.channel, pool.allocator, LeafGuard.NONE, 4);
    }
    model.clear();
    for (int round = 0; round < 4; round++) {
      scanAll(true);
      index.removeEmptyLeaves(pool.channel, pool.allocator, LeafGuard.NONE, 1000);
      assertEquals(0, index.verify(pool.channel));
    }
    TreeStatistics statistics = index.statistics(pool.channel);
    assertTrue(statistics.leaves() <= statistics.height(), () -> statistics.toString());
  }

  private void insert(byte[] key, long cvt) {
    boolean isNew = model.put(key, cvt) == null;
    assertEquals(isNew ? IndexResult.INSERTED : IndexResult.PRESENT, pool.insert(index, key, cvt));
  }

  /** Inserts a run of keys, adjacent or not, sorted or not, with repetitions. */
  private void insertAll(Random random, int shape) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = random.nextInt(30); i >= 0; i--) {
      keys.add(key(random, shape));
    }
    if (random.nextInt(4) > 0) {
      keys.sort(Arrays::compareUnsigned);
    }
    EntryRun run = new EntryRun();
    List<Integer> expected = new ArrayList<>();
    for (byte[] key : keys) {
      long cvt = 16 + random.nextInt(1 << 20) * 16L;
      run.add(key, key.length, cvt);
      expected.add(model.put(key, cvt) == null ? IndexResult.INSERTED : IndexResult.PRESENT);
    }
    assertEquals(
        IndexResult.OK, index.insertAll(pool.channel, pool.allocator, run, LeafGuard.NONE));
    for (int i = 0; i < run.size(); i++) {
      assertEquals(expected.get(i), run.result(i));
    }
  }

  private void remove(Random random, byte[] near) {
    Map.Entry<byte[], Long> entry = model.ceilingEntry(near);
    byte[] key = entry == null || random.nextInt(8) == 0 ? near : entry.getKey();
    Long cvt = model.get(key);
    if (cvt == null) {
      assertEquals(IndexResult.ABSENT, pool.remove(index, key, 16));
    } else if (random.nextInt(8) == 0) {
      assertEquals(IndexResult.ABSENT, pool.remove(index, key, cvt + 16));
    } else {
      assertEquals(IndexResult.REMOVED, pool.remove(index, key, cvt));
      model.remove(key);
    }
  }

  private void scan(Random random, int shape) {
    byte[] bound = key(random, shape);
    boolean inclusive = random.nextBoolean();
    boolean ascending = random.nextBoolean();
    NavigableMap<byte[], Long> expected =
        bound.length == 0
            ? (ascending ? model : model.descendingMap())
            : ascending
                ? model.tailMap(bound, inclusive)
                : model.headMap(bound, inclusive).descendingMap();
    check(expected, bound, inclusive, ascending, 300);
  }

  private void scanAll(boolean ascending) {
    check(
        ascending ? model : model.descendingMap(), new byte[0], true, ascending, Integer.MAX_VALUE);
  }

  private void check(
      NavigableMap<byte[], Long> expected,
      byte[] bound,
      boolean inclusive,
      boolean ascending,
      int limit) {
    int seen = 0;
    int status =
        cursor.seek(
            pool.channel,
            bound,
            bound.length,
            inclusive,
            ScanDirection.of(ascending),
            LeafGuard.NONE);
    var entries = expected.entrySet().iterator();
    while (status == IndexResult.OK && seen < limit) {
      for (int i = 0; i < cursor.count() && seen < limit; i++, seen++) {
        Map.Entry<byte[], Long> entry = entries.next();
        byte[] bytes = cursor.keyBytes();
        int offset = cursor.keyOffset(i);
        assertArrayEquals(
            entry.getKey(), Arrays.copyOfRange(bytes, offset, offset + cursor.keyLength(i)));
        assertEquals(entry.getValue(), cursor.cvt(i));
        assertEquals(0, cursor.compareKey(i, entry.getKey(), entry.getKey().length));
      }
      status = cursor.nextLeaf(pool.channel);
    }
    assertEquals(Math.min(expected.size(), limit), seen);
  }

  /**
   * Returns a key of one of several shapes: of fixed length; short, of odd bytes, so that keys are
   * prefixes of each other; or long, with long common prefixes. Some keys are empty.
   */
  private static byte[] key(Random random, int shape) {
    return switch (shape) {
      case 0 -> TreePool.key(random.nextInt(5000));
      case 1 -> odd(random, random.nextInt(6));
      case 2 -> longKey(random);
      case 3 ->
          TreePool.key(
              random.nextInt(3), random.nextInt(10), random.nextInt(40), random.nextInt(15));
      default ->
          random.nextInt(10) == 0
              ? longKey(random)
              : random.nextBoolean()
                  ? odd(random, random.nextInt(9))
                  : TreePool.key(random.nextLong());
    };
  }

  private static byte[] odd(Random random, int length) {
    byte[] key = new byte[length];
    for (int i = 0; i < length; i++) {
      key[i] = ODD_BYTES[random.nextInt(ODD_BYTES.length)];
    }
    return key;
  }

  private static byte[] longKey(Random random) {
    byte[] key =
        new byte
            [random.nextInt(3) == 0
                ? OrderedIndex.KEY_LENGTH_MAX
                : random.nextInt(OrderedIndex.KEY_LENGTH_MAX)];
    Arrays.fill(key, (byte) 'x');
    for (int i = 0; i < 3 && key.length > 0; i++) {
      key[random.nextInt(key.length)] = ODD_BYTES[random.nextInt(ODD_BYTES.length)];
    }
    return key;
  }
}
