package org.nelumbo.dm.index.hash;

/**
 * Visitor of the memory and entries of a hash index that decides which entries stay ({@link
 * HashIndex#sweep}).
 */
public interface HashSweepVisitor {
  /** A segment or an overflow block of the index. */
  void memory(long address, int sizeClass);

  /**
   * Some entries. Sets the LOTUS key of each that is to stay, as its CVT has it; 0 for one that is
   * to go.
   */
  void judge(long[] cvts, int count, long[] lotusKeys);
}
