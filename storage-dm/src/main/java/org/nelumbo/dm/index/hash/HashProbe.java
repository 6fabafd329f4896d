package org.nelumbo.dm.index.hash;

/**
 * What {@link HashIndex#lookupForInsert} saw, so that an insert of the same key need not look
 * again: the window is still in the staging buffer. Reused; belongs to one channel's user.
 */
public final class HashProbe {
  /** The directory entry that led to the window. */
  long entry;

  /** Where the window is in the staging buffer, or -1: it tells nothing. */
  int offset = -1;
}
