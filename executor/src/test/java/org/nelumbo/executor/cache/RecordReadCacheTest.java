package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordReadCacheTest {
  private static final int LENGTH = 64;
  private final MemorySegment staging = Arena.ofAuto().allocate(1 << 10, 8);
  private final RecordReadCache memory = new RecordReadCache(RecordCache.NONE);

  @BeforeEach
  void open() {
    memory.open();
  }

  private void add(long address, long version) {
    staging.set(ValueLayout.JAVA_LONG, 128, address * 31 + version);
    memory.put(address, version, staging, 128, LENGTH);
  }

  private boolean has(long address, long version) {
    staging.set(ValueLayout.JAVA_LONG, 256, 0);
    boolean found = memory.get(address, version, staging, 256, LENGTH);
    assertEquals(found, memory.contains(address, version));
    if (found) {
      assertEquals(address * 31 + version, staging.get(ValueLayout.JAVA_LONG, 256));
    }
    return found;
  }

  @Test
  void shouldFindRecordsByAddressAndVersion() {
    for (int i = 1; i <= 5_000; i++) {
      add(i * 64L, i);
    }
    for (int i = 1; i <= 5_000; i++) {
      assertTrue(has(i * 64L, i));
      assertFalse(has(i * 64L, i + 1), "another version in the same place");
    }
  }

  @Test
  void shouldForgetAtTheEndOfTheTransaction() {
    add(64, 1);
    memory.close();
    assertFalse(has(64, 1));
    add(64, 1);
    assertFalse(has(64, 1), "read-only transactions keep nothing");
    memory.open();
    add(64, 1);
    assertTrue(has(64, 1));
  }

  @Test
  void shouldStayBounded() {
    for (int i = 1; i <= 200_000; i++) {
      add(i * 64L, 7);
    }
    assertTrue(has(200_000 * 64L, 7));
    assertFalse(has(64, 7));
  }
}
