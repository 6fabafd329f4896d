package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class RecordCacheTest {
  private static final int LENGTH = 64;
  private final MemorySegment staging = Arena.ofAuto().allocate(1 << 10, 8);

  private void put(RecordCache cache, long address, long version) {
    staging.set(ValueLayout.JAVA_LONG, 128, address * 31 + version);
    cache.put(address, version, staging, 128, LENGTH);
  }

  private boolean has(RecordCache cache, long address, long version) {
    staging.set(ValueLayout.JAVA_LONG, 256, 0);
    boolean found = cache.get(address, version, staging, 256, LENGTH);
    assertEquals(found, cache.contains(address, version));
    assertEquals(found ? address * 31 + version : 0, staging.get(ValueLayout.JAVA_LONG, 256));
    return found;
  }

  @Test
  void shouldFindRecordsByAddressAndVersion() {
    RecordCache cache = new RecordCache(1 << 20);
    put(cache, 64, 5);
    assertTrue(has(cache, 64, 5));
    assertFalse(has(cache, 64, 6), "memory is used again by later versions");
    assertFalse(has(cache, 128, 5));
    put(cache, 64, 9);
    assertTrue(has(cache, 64, 9));
    assertFalse(has(cache, 64, 5));
    cache.remove(64);
    assertFalse(has(cache, 64, 9));
  }

  @Test
  void shouldStayWithinMemoryLimit() {
    RecordCache cache = new RecordCache(100 * 256);
    for (int i = 1; i <= 10_000; i++) {
      put(cache, 64L * i, i);
    }
    int found = 0;
    for (int i = 1; i <= 10_000; i++) {
      found += has(cache, 64L * i, i) ? 1 : 0;
    }
    assertTrue(found > 0 && found <= 100 * 256 / (LENGTH + 128), "found " + found);
  }

  /** A short record may lie in the memory of a longer one. */
  @Test
  void shouldNotCopyBeyondRequestedLength() {
    RecordCache cache = new RecordCache(1 << 20);
    put(cache, 64, 5);
    staging.set(ValueLayout.JAVA_LONG, 256 + 32, -1);
    assertTrue(cache.get(64, 5, staging, 256, 32));
    assertEquals(-1, staging.get(ValueLayout.JAVA_LONG, 256 + 32));
  }
}
