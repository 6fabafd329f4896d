package org.nelumbo.dm.index.tree;

/** Order in which a {@link LeafCursor} goes through the keys. */
public enum ScanDirection {
  ASCENDING,
  DESCENDING;

  /** The direction that a flag stands for. */
  public static ScanDirection of(boolean ascending) {
    return ascending ? ASCENDING : DESCENDING;
  }
}
