package org.nelumbo.dm.index.tree;

/**
 * Visitor of the memory and entries of an ordered index that decides which entries stay ({@link
 * OrderedIndex#sweep}).
 */
public interface TreeSweepVisitor {
  /** A node or the root block of the index. */
  void memory(long address, int sizeClass);

  /** Whether an entry stays; the key is only good during the call. */
  boolean keeps(byte[] key, int length, long cvt);
}
