package org.nelumbo.dm.index.hash;

/**
 * Result of {@link HashIndex#lookupForInsert} for the insert that follows: the window, and the
 * overflow block it led to, are still in the staging buffer, so the insert need not read them
 * again. Reusable; belongs to the user of one channel.
 */
public final class HashProbe {
  /** Stands for a ticket, or an offset, where nothing was posted. */
  static final int NOT_POSTED = -1;

  /** The directory entry that led to the window. */
  long entry;

  /** Offset of the window in the staging buffer; -1 if there is none. */
  int offset = -1;

  /** The first overflow block that the window led to, if it was read. */
  long block;

  /** Offset of that block in the staging buffer, or {@link #NOT_POSTED}. */
  int blockOffset = NOT_POSTED;

  void setBlock(long address, int place) {
    block = address;
    blockOffset = place;
  }
}
