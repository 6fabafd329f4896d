package org.nelumbo.dm.index.hash;

/**
 * What {@link HashIndex#lookupForInsert} saw, so that an insert of the same key need not look
 * again: the window, and the overflow block it led to, are still in the staging buffer. Reused;
 * belongs to one channel's user.
 */
public final class HashProbe {
  /** Stands for a ticket, or an offset, where nothing was posted. */
  static final int NOT_POSTED = -1;

  /** The directory entry that led to the window. */
  long entry;

  /** Where the window is in the staging buffer, or -1: it tells nothing. */
  int offset = -1;

  /** The first overflow block that the window led to, if it was read. */
  long block;

  /** Where that is in the staging buffer, or {@link #NOT_POSTED}. */
  int blockOffset = NOT_POSTED;

  void setBlock(long address, int place) {
    block = address;
    blockOffset = place;
  }
}
