package org.nelumbo.dm.index;

/** The contents of leaves of ordered indexes that are known without a READ. */
public interface LeafImages {
  /** No leaf is known. */
  LeafImages NONE = (_, _) -> null;

  /**
   * Returns the content of a leaf in the pool at the time of the call; null if it is unknown. The
   * array is shared, and must not be changed.
   *
   * @param index identity of the index
   */
  byte[] find(Object index, long leafAddress);
}
