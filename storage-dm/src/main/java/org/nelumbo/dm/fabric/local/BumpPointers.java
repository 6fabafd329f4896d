package org.nelumbo.dm.fabric.local;

import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;

/**
 * Finds the bump pointers of a node, the words from which its memory is allocated: the bump word of
 * its superblock or, in a replicated pool, the bump word of each slot's superblock and the reserve
 * word of the node header. An FAA on one of them allocates the bytes that it skips. A further word,
 * in the node header, controls the clearing of memory that an earlier process has left.
 */
final class BumpPointers {
  private static final int PAGE_MASK = 4095;

  private BumpPointers() {}

  /**
   * Returns true if an offset may be the offset of one of these words. This is a quick test that
   * few other offsets pass.
   */
  static boolean isPossible(long offset) {
    long inPage = offset & PAGE_MASK;
    return inPage == SuperblockLayout.BUMP_OFFSET
        || inPage == NodeHeaderLayout.RESERVE_OFFSET
        || inPage == NodeHeaderLayout.LEFT_OFFSET;
  }

  /**
   * Returns the offset in the node from which the bump word at a given offset counts; -1 if there
   * is no bump word at that offset.
   *
   * @param base address of the node's memory
   */
  static long origin(long base, long offset) {
    boolean hasCopies =
        RawMemory.get(base + NodeHeaderLayout.MAGIC_OFFSET) == NodeHeaderLayout.MAGIC;
    if (!hasCopies) {
      return offset == SuperblockLayout.BUMP_OFFSET ? 0 : -1;
    }
    if (offset == NodeHeaderLayout.RESERVE_OFFSET) {
      return 0;
    }
    long slotBytes = RawMemory.get(base + NodeHeaderLayout.SLOT_BYTES_OFFSET);
    long inSlots = offset - NodeHeaderLayout.LENGTH;
    boolean isBump =
        inSlots >= 0 && slotBytes > 0 && inSlots % slotBytes == SuperblockLayout.BUMP_OFFSET;
    return isBump ? offset - SuperblockLayout.BUMP_OFFSET : -1;
  }

  /**
   * Returns the number of bytes from the origin that can be allocated.
   *
   * @param nodeBytes size of the whole node
   */
  static long limit(long base, long offset, long nodeBytes) {
    return offset < NodeHeaderLayout.LENGTH
        ? nodeBytes
        : Math.min(
            RawMemory.get(base + NodeHeaderLayout.SLOT_BYTES_OFFSET),
            nodeBytes - (offset - SuperblockLayout.BUMP_OFFSET));
  }
}
