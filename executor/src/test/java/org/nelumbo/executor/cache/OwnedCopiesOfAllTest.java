package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/** Tests that writes of other compute nodes reach the copies of rows, whatever their keys. */
class OwnedCopiesOfAllTest {
  private static final int STORE = 7;
  private static final int CELLS = 2;

  private final ReadCaches caches = ReadCaches.joining(64, 0);
  private final OwnedCopies copies = caches.copies();

  OwnedCopiesOfAllTest() {
    caches.share(_ -> true);
  }

  private void keep(long key) {
    int bytes = CvtLayout.bytes(CELLS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment staging = arena.allocate(bytes, Long.BYTES);
      CvtLayout.writeEmpty(staging, 0, key, STORE, CELLS, SizeClass.of(bytes));
      CvtCache cvts = caches.cvts();
      cvts.putIfUnchanged(key, PoolAddress.of(0, 4096), staging, 0, bytes, cvts.sequence(key));
    }
    assertTrue(caches.cvts().get(STORE, key).isReadable());
  }

  /** The second and third key could be addresses of a leaf, and the fourth of a change lock. */
  @ParameterizedTest
  @ValueSource(longs = {0x7210ef42cbccf123L, 0x210ef42cbccfL, 0x210ef42cbcc0L, 0x210ef42cbcc1L})
  void shouldDropCopyOfRowThatAnotherComputeNodeWrites(long key) {
    keep(key);
    long before = caches.cvts().sequence(key);
    copies.written(key);
    assertFalse(caches.cvts().get(STORE, key).isReadable());
    assertTrue(caches.cvts().sequence(key) > before, "reads in progress must not be kept");
    keep(key);
    copies.forget(key);
    assertNull(caches.cvts().get(STORE, key));
  }
}
