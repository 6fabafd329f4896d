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

class TreeNodeLayoutTest {
  @Test
  void shouldFillItsSizeClass() {
    assertEquals(TreeNodeLayout.LENGTH, SizeClass.bytes(TreeNodeLayout.SIZE_CLASS));
    assertEquals(64, SizeClass.bytes(TreeNodeLayout.ROOT_BLOCK_SIZE_CLASS));
  }

  @Test
  void shouldHoldTwoEntriesOfTheLongestKey() {
    int entry =
        TreeNodeLayout.SLOT_LENGTH
            + TreeNodeLayout.SUFFIX_LENGTH_LENGTH
            + TreeNodeLayout.KEY_LENGTH_MAX
            + TreeNodeLayout.ADDRESS_LENGTH;
    assertTrue(
        TreeNodeLayout.FENCES_OFFSET + 2 * TreeNodeLayout.KEY_LENGTH_MAX + 2 * entry
            <= TreeNodeLayout.LENGTH);
    assertTrue(TreeNodeLayout.KEY_LENGTH_MAX < TreeNodeLayout.OPEN);
  }

  @Property(seed = "1")
  void shouldEncodeIndexAndOwnerInLatch(
      @ForAll @IntRange(min = 0, max = 255) int node,
      @ForAll @LongRange(min = 1, max = (1L << 34) - 1) long line,
      @ForAll @IntRange(min = 0, max = TreeNodeLayout.DEAD) int owner) {
    long root = PoolAddress.of(node, line * 64);
    long free = TreeNodeLayout.freeLatch(root);
    long latch = TreeNodeLayout.latch(free, owner);
    assertEquals(TreeNodeLayout.FREE, TreeNodeLayout.owner(free));
    assertEquals(owner, TreeNodeLayout.owner(latch));
    assertTrue(TreeNodeLayout.isOfIndex(latch, free));
    assertFalse(TreeNodeLayout.isOfIndex(latch, TreeNodeLayout.freeLatch(root ^ 64)));
    assertFalse(TreeNodeLayout.isOfIndex(latch, TreeNodeLayout.freeLatch(root ^ 1L << 47)));
  }

  /** The first 32 bits of a record are its length, which is at most the largest size. */
  @Property(seed = "1")
  void shouldNotMistakeRecordForNode(
      @ForAll @IntRange(min = 1, max = SizeClass.LARGEST) int length,
      @ForAll int rest,
      @ForAll @LongRange(min = 1, max = 1 << 20) long line) {
    long word = (long) rest << 32 | length;
    assertFalse(TreeNodeLayout.isOfIndex(word, TreeNodeLayout.freeLatch(line * 64)));
  }

  @Property(seed = "1")
  void shouldEncodeHeaderFields(
      @ForAll int version,
      @ForAll @IntRange(min = 0, max = 127) int level,
      @ForAll @IntRange(min = 0, max = 255) int count,
      @ForAll @IntRange(min = 0, max = 255) int last) {
    long header = TreeNodeLayout.header(version, level, count, last);
    assertEquals(level, TreeNodeLayout.level(header));
    assertEquals(count, TreeNodeLayout.count(header));
    assertEquals(last, TreeNodeLayout.last(header));
    assertFalse(TreeNodeLayout.isWriting(header));
    long writing = TreeNodeLayout.writing(header);
    assertTrue(TreeNodeLayout.isWriting(writing));
    assertEquals(level, TreeNodeLayout.level(writing));
    long next = TreeNodeLayout.nextVersion(writing);
    assertFalse(TreeNodeLayout.isWriting(next));
    assertNotEquals(header, next);
    assertEquals(TreeNodeLayout.header(version + 1, level, count, last), next);
  }
}
