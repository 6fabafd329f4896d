package org.nelumbo.dm.index.tree;

/** Order in which a {@link LeafCursor} visits the keys. */
public enum ScanDirection {
  ASCENDING,
  DESCENDING;

  /** Returns the direction for a flag. */
  public static ScanDirection of(boolean ascending) {
    return ascending ? ASCENDING : DESCENDING;
  }
}
