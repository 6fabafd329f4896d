package org.nelumbo.dm.index.tree;

/** Results of operations on an {@link OrderedIndex}. */
public final class IndexResult {
  public static final int OK = 0;

  /** The end of the index has been passed. */
  public static final int END = 1;

  public static final int INSERTED = 2;

  /** The key was present; it now maps to the given address. */
  public static final int PRESENT = 3;

  /** The guard refused; nothing changed. */
  public static final int CONFLICT = 4;

  /** The pool has no memory; nothing changed. */
  public static final int EXHAUSTED = 5;

  public static final int REMOVED = 6;
  public static final int ABSENT = 7;

  private IndexResult() {}
}
