package org.nelumbo.dm.index.tree;

/**
 * Visits the memory and the entries of an ordered index and decides which entries stay ({@link
 * OrderedIndex#sweep}).
 */
public interface TreeSweepVisitor {
  /** Visits a node or the root block of the index. */
  void memory(long address, int sizeClass);

  /** Returns true if an entry stays; the key is only valid during the call. */
  boolean keeps(byte[] key, int length, long cvt);
}
