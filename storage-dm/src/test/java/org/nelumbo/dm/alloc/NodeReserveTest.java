package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

class NodeReserveTest {
  private static final long NODE_BYTES = 1 << 20;
  private static final long END = PoolAddress.of(3, NODE_BYTES);
  private static final int LINE = SizeClass.of(64);
  private static final int SMALL = SizeClass.of(48);

  private final NodeReserve reserve = new NodeReserve(3, NODE_BYTES);
  private final long start = PoolAddress.of(3, reserve.startOffset());

  @Test
  void shouldContainTheEndOfTheNode() {
    assertTrue(reserve.contains(start));
    assertTrue(reserve.contains(END - 16));
    assertFalse(reserve.contains(start - 16));
  }

  @Test
  void shouldMergeAdjacentRuns() {
    reserve.give(start, start + 64);
    reserve.give(start + 128, start + 192);
    assertEquals(2, reserve.runCount());
    reserve.give(start + 64, start + 128);
    assertEquals(1, reserve.runCount());
    assertEquals(192, reserve.bytes());
  }

  @Test
  void shouldCutBlocksThatAreAligned() {
    reserve.give(start, start + 192);
    assertEquals(start, reserve.take(SMALL));
    assertEquals(start + 64, reserve.take(LINE));
    assertEquals(start + 128, reserve.take(LINE));
    assertEquals(PoolAddress.NULL, reserve.take(LINE));
    assertEquals(16, reserve.bytes());
  }

  @Test
  void shouldHandOverFreeRuns() {
    reserve.give(start, start + 64);
    reserve.give(start + 128, END);
    LongStack runs = new LongStack();
    assertEquals(64, reserve.takeRuns(1, 10, runs));
    assertEquals(FreeSpaceMapLayout.run(start, 64), runs.get(0));
    assertEquals(END - start - 128, reserve.takeRuns(Long.MAX_VALUE, 10, runs));
    assertEquals(2, runs.size());
    assertEquals(0, reserve.bytes());
  }
}
