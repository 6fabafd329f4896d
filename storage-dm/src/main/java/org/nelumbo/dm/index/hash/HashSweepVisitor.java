package org.nelumbo.dm.index.hash;

/**
 * Visits the memory and the entries of a hash index and decides which entries stay ({@link
 * HashIndex#sweep}).
 */
public interface HashSweepVisitor {
  /** Visits a segment or an overflow block of the index. */
  void memory(long address, int sizeClass);

  /**
   * Judges some entries. Sets the LOTUS key, as in its CVT, of each entry that stays; 0 for each
   * entry to be removed.
   */
  void judge(long[] cvts, int count, long[] lotusKeys);
}
