package org.nelumbo.dm.index.hash;

/**
 * State of {@link HashIndex#lookupForInsert} for the insert that follows: the window, and its
 * overflow block, are still in the staging buffer, so the insert need not read them again.
 * Reusable; belongs to the user of one channel.
 */
public final class HashProbe {
  /** Ticket or offset that means that nothing was posted. */
  static final int NOT_POSTED = -1;

  /** Directory entry whose segment has the window. */
  long entry;

  /** Offset of the window in the staging buffer; -1 if there is none. */
  int offset = -1;

  /** First overflow block of the window, if it was read. */
  long block;

  /** Offset of that block in the staging buffer, or {@link #NOT_POSTED}. */
  int blockOffset = NOT_POSTED;

  void setBlock(long address, int stagingOffset) {
    block = address;
    blockOffset = stagingOffset;
  }
}
