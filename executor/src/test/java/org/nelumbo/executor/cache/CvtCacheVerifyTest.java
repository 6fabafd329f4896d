package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.layout.CvtLayout;

/** Tests that the check of invariant 9 detects copies that are older than the pool. */
class CvtCacheVerifyTest {
  private static final long KEY = 4711;
  private static final long ADDRESS = 1 << 12;
  private static final int CELLS = 2;

  private final MemorySegment cvt =
      MemorySegment.ofArray(new long[CvtLayout.bytes(CELLS) / Long.BYTES]);
  private final CvtCache cache = new CvtCache(64);

  CvtCacheVerifyTest() {
    CvtLayout.writeEmpty(cvt, 0, KEY, 3, CELLS, CvtLayout.blockClass(CELLS, 8));
    cache.putIfUnchanged(KEY, ADDRESS, cvt, 0, CvtLayout.bytes(CELLS), cache.sequence(KEY));
  }

  private long pool(long address) {
    return cvt.get(ValueLayout.JAVA_LONG, address - ADDRESS);
  }

  private void change() {
    cvt.set(ValueLayout.JAVA_LONG, CvtLayout.cellOffset(1), 99);
  }

  @Test
  void shouldAcceptCopyEqualToPool() {
    assertDoesNotThrow(() -> cache.verify(key -> false, this::pool));
  }

  @Test
  void shouldFindACopyThatIsOlderThanThePool() {
    change();
    assertThrows(IllegalStateException.class, () -> cache.verify(key -> false, this::pool));
  }

  @Test
  void shouldSkipWriteLockedAndInvalidatedCopies() {
    change();
    assertDoesNotThrow(() -> cache.verify(key -> key == KEY, this::pool));
    cache.invalidate(KEY);
    assertDoesNotThrow(() -> cache.verify(key -> false, this::pool));
  }

  @Test
  void shouldFindEveryKeyOnceInItsSet() {
    CvtTable table = new CvtTable(256);
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 5000; i++) {
      long key = random.nextLong(600);
      if (random.nextInt(3) == 0) {
        table.remove(key);
      } else {
        table.put(CachedCvt.at(1, key, ADDRESS));
      }
    }
    assertDoesNotThrow(table::verify);
  }
}
