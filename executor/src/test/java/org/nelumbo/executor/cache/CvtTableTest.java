package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CvtTableTest {
  private static final int CAPACITY = 1 << 10;
  private final CvtTable table = new CvtTable(CAPACITY);
  private final SplittableRandom random = new SplittableRandom(1);

  private static CachedCvt cvt(long lotusKey, long address) {
    return CachedCvt.at(1, lotusKey, address);
  }

  private void fill(int rows) {
    for (int i = 0; i < rows; i++) {
      table.put(cvt(random.nextLong(), 64));
    }
  }

  @Test
  void shouldKeepLatestEntriesWhenFull() {
    fill(10 * CAPACITY);
    long[] keys = random.longs(50).toArray();
    for (long key : keys) {
      table.put(cvt(key, 128));
    }
    int kept = 0;
    for (long key : keys) {
      kept += table.get(key) != null ? 1 : 0;
    }
    assertTrue(kept >= 45, "kept " + kept + " of 50");
  }

  @Test
  void shouldKeepFrequentlyReadEntries() {
    long[] wanted = random.longs(100).toArray();
    for (long key : wanted) {
      table.put(cvt(key, 128));
    }
    for (int round = 0; round < 40; round++) {
      for (long key : wanted) {
        table.get(key);
      }
      fill(CAPACITY / 4);
    }
    int kept = 0;
    for (long key : wanted) {
      kept += table.get(key) != null ? 1 : 0;
    }
    assertTrue(kept >= 80, "kept " + kept + " of 100");
  }

  @Test
  void shouldHoldAKeyOnceAndForget() {
    table.put(cvt(7, 64));
    table.put(cvt(7, 128));
    CachedCvt found = table.get(7);
    assertNotNull(found);
    assertEquals(128, found.address());
    table.remove(7);
    assertNull(table.get(7));
  }

  @Test
  void shouldNeverReturnReplacedOrRemovedEntries() {
    Map<Long, Long> model = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      long key = random.nextLong(3000) * 0x9E3779B97F4A7C15L;
      if (random.nextInt(4) == 0) {
        table.remove(key);
        model.remove(key);
      } else {
        long address = 64L * random.nextInt(1, 1000);
        table.put(cvt(key, address));
        model.put(key, address);
      }
      CachedCvt other = table.get(random.nextLong(3000) * 0x9E3779B97F4A7C15L);
      if (other != null) {
        assertEquals(model.get(other.lotusKey()), other.address());
      }
    }
  }

  @Test
  void shouldHoldSomethingHoweverSmall() {
    CvtTable small = new CvtTable(0);
    small.put(cvt(1, 64));
    assertNotNull(small.get(1));
  }
}
