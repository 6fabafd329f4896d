package org.nelumbo.dm.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.PoolAddress;

class HashLayoutTest {
  @Property(seed = "1", tries = 300)
  void shouldReadASlotBackFieldByField(
      @ForAll @IntRange(min = 0, max = HashSegmentLayout.MAX_DEPTH) int depth,
      @ForAll
          @IntRange(min = HashSlotLayout.FIRST_FINGERPRINT, max = HashSlotLayout.FINGERPRINT_MASK)
          int fingerprint,
      @ForAll @LongRange(min = 1, max = (1L << PoolAddress.BITS) - 1) long cvt) {
    long slot = HashSlotLayout.pattern(depth, fingerprint) | cvt;
    assertEquals(fingerprint, HashSlotLayout.fingerprint(slot));
    assertEquals(cvt, HashSlotLayout.address(slot));
    assertTrue(HashSlotLayout.hasTag(slot, depth));
    assertFalse(HashSlotLayout.hasTag(slot, depth + 1));
    assertFalse(HashSlotLayout.isFree(slot));
    assertEquals(
        HashSlotLayout.pattern(depth + 1, fingerprint) | cvt,
        HashSlotLayout.retag(slot, depth + 1));
  }

  @Property(seed = "1", tries = 100)
  void shouldReadAHeaderBackFieldByField(
      @ForAll @IntRange(min = 0, max = HashSegmentLayout.MAX_DEPTH) int depth,
      @ForAll @LongRange(min = 0, max = (1L << PoolAddress.BITS) - 1) long block) {
    long header = HashSlotLayout.header(depth, block);
    assertEquals(depth, HashSlotLayout.headerDepth(header));
    assertEquals(block, HashSlotLayout.address(header));
    assertTrue(HashSlotLayout.hasTag(header, depth));
    assertFalse(HashSlotLayout.isFree(header), "an inserter would take a header for a free slot");
    assertTrue(
        HashSlotLayout.fingerprint(header) < HashSlotLayout.FIRST_FINGERPRINT,
        "a reader would take a header for an entry");
    assertTrue(HashSlotLayout.isFree(HashSlotLayout.free(depth)));
    assertTrue(HashSlotLayout.hasTag(HashSlotLayout.free(depth), depth));
  }

  @Property(seed = "1", tries = 100)
  void shouldReadALatchBackFieldByField(
      @ForAll int owner,
      @ForAll @IntRange(min = 1, max = 2) int state,
      @ForAll @IntRange(min = 0, max = HashSegmentLayout.MAX_DEPTH) int depth) {
    long latch = HashSegmentLayout.latch(owner, state, depth);
    assertEquals(owner, HashSegmentLayout.latchOwner(latch));
    assertEquals(state, HashSegmentLayout.latchState(latch));
    assertEquals(depth, HashSegmentLayout.latchDepth(latch));
    assertNotEquals(HashSegmentLayout.freeLatch(depth), latch);
    assertEquals(
        HashSegmentLayout.STATE_FREE,
        HashSegmentLayout.latchState(HashSegmentLayout.freeLatch(depth)));
    assertEquals(depth, HashSegmentLayout.latchDepth(HashSegmentLayout.freeLatch(depth)));
  }

  @Property(seed = "1", tries = 100)
  void shouldReadAnIdentityBackFieldByField(
      @ForAll @IntRange(min = 0, max = (1 << HashSegmentLayout.MAX_DEPTH) - 1) int suffix,
      @ForAll @IntRange(min = 0, max = HashSegmentLayout.MAX_DEPTH) int birth) {
    long identity = HashSegmentLayout.identity(suffix, birth);
    assertTrue(HashSegmentLayout.isIdentity(identity));
    assertEquals(suffix, HashSegmentLayout.suffix(identity));
    assertEquals(birth, HashSegmentLayout.birthDepth(identity));
    assertFalse(HashSegmentLayout.isIdentity(0));
  }

  @Test
  void shouldHaveNoGapsOrOverlaps() {
    assertEquals(256, HashSegmentLayout.LINES_OFFSET);
    assertEquals(124, HashSegmentLayout.LINES);
    assertEquals(930, HashSegmentLayout.SLOTS);
    assertEquals(HashSegmentLayout.LENGTH, HashSegmentLayout.lineOffset(HashSegmentLayout.LINES));
    assertEquals(HashSegmentLayout.LENGTH, SizeClass.bytes(HashSegmentLayout.SIZE_CLASS));
    assertEquals(
        HashSegmentLayout.BLOCK_LENGTH, SizeClass.bytes(HashSegmentLayout.BLOCK_SIZE_CLASS));
    assertTrue(HashSegmentLayout.COPY_OFFSET < HashSegmentLayout.COPY_CHAINS_OFFSET);
    assertEquals(
        HashSegmentLayout.LINES_OFFSET, HashSegmentLayout.childOffset(HashSegmentLayout.MAX_DEPTH));
    assertTrue(HashSegmentLayout.MAX_DEPTH + 1 < HashSlotLayout.FIRST_FINGERPRINT);
  }

  @Test
  void shouldHaveOneHeaderInEveryWindow() {
    for (int home = 0; home < HashSegmentLayout.HOMES; home++) {
      int header = HashSegmentLayout.lineOffset(HashSegmentLayout.headerLine(home));
      assertEquals(
          header,
          HashSegmentLayout.lineOffset(home) + HashSegmentLayout.headerOffsetInWindow(home));
      assertTrue(
          HashSegmentLayout.lineOffset(home) + HashSegmentLayout.WINDOW_LENGTH
              <= HashSegmentLayout.LENGTH);
    }
  }
}
