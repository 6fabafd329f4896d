package org.nelumbo.dm.fabric.local;

import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;

/**
 * The words of a node's memory by which memory is handed out: the bump word of its superblock; in a
 * node of a pool with copies the bump word of each slot's superblock, and the header's reserve
 * word. FAA on one of them moves it over bytes that are going to be written.
 */
final class HandedOut {
  private static final int PAGE_MASK = 4095;

  private HandedOut() {}

  /** Whether an offset may be that of such a word; few others are. */
  static boolean isPossible(long offset) {
    long inPage = offset & PAGE_MASK;
    return inPage == SuperblockLayout.BUMP_OFFSET || inPage == NodeHeaderLayout.RESERVE_OFFSET;
  }

  /**
   * Where in the node that begins whose first byte the word at an offset counts from; -1 if it is
   * none of these words.
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
   * Bytes from the origin that can be handed out.
   *
   * @param nodeBytes of the whole node
   */
  static long limit(long base, long offset, long nodeBytes) {
    return offset < NodeHeaderLayout.LENGTH
        ? nodeBytes
        : Math.min(
            RawMemory.get(base + NodeHeaderLayout.SLOT_BYTES_OFFSET),
            nodeBytes - (offset - SuperblockLayout.BUMP_OFFSET));
  }
}
