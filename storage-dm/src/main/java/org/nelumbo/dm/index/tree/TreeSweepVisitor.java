package org.nelumbo.dm.index.tree;

/**
 * Visits the memory and the entries of an ordered index and decides which entries stay ({@link
 * OrderedIndex#sweep}).
 */
public interface TreeSweepVisitor {
  /** Visits a node or the root block of the index. */
  void memory(long address, int sizeClass);

  /** Announces the entries of a leaf: {@link #keeps} is called for each, in this order. */
  default void beginLeaf(long[] cvts, int count) {}

  /** Called when all entries of a leaf were judged, before the leaf is changed. */
  default void endLeaf() {}

  /** Returns true if an entry stays; the key is only valid during the call. */
  boolean keeps(byte[] key, int length, long cvt);
}
