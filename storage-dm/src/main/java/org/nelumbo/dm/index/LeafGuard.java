package org.nelumbo.dm.index;

/**
 * Hooks by which the executor locks leaves of an ordered index, so that scans are free of phantoms.
 * The locks are in the executor's lock table; an index knows only when to ask.
 *
 * <p>{@link #enterScan} is asked before a leaf is read for a scan; the grant is kept by the
 * transaction until it ends. {@link #enterInsert} is asked before an entry is added to a leaf,
 * {@link #exitInsert} after it is there (or was not added); only between the two are scanners of
 * that leaf kept out: from then on the row's own lock protects the entry.
 */
public interface LeafGuard {
  /** Asks for nothing: snapshot reads, loaders and single-threaded tests. */
  LeafGuard NONE =
      new LeafGuard() {
        @Override
        public boolean enterScan(long leafAddress) {
          return true;
        }

        @Override
        public boolean enterInsert(long leafAddress) {
          return true;
        }

        @Override
        public void exitInsert(long leafAddress) {}

        @Override
        public boolean tryEnterInsert(long leafAddress) {
          return true;
        }

        @Override
        public void exitTriedInsert(long leafAddress) {}

        @Override
        public boolean tryPassRange(long from, long to) {
          return true;
        }
      };

  /** Returns false on a conflict: the transaction has to abort. */
  boolean enterScan(long leafAddress);

  /** Returns false on a conflict: the transaction has to abort. */
  boolean enterInsert(long leafAddress);

  void exitInsert(long leafAddress);

  /**
   * {@link #enterInsert} for several leaves at a time, each left by {@link #exitTriedInsert}: false
   * if that would take waiting, or more than a short hold on the leaf. Then nothing has happened,
   * and the entry is added on its own.
   */
  default boolean tryEnterInsert(long leafAddress) {
    return false;
  }

  /** Leaves a leaf that {@link #tryEnterInsert} has let the inserter into. */
  default void exitTriedInsert(long leafAddress) {}

  /**
   * Asked between {@link #enterInsert} and {@link #exitInsert} of {@code from}, before part of its
   * range, or all of it, goes to the leaf {@code to}: a transaction that has scanned {@code from}
   * itself has to get hold of {@code to} as a scanner too, since inserts into that part of the
   * range will ask for {@code to} only. Returns false on a conflict: the transaction has to abort.
   */
  default boolean passRange(long from, long to) {
    return true;
  }

  /**
   * {@link #passRange} while latches are held, also after {@link #tryEnterInsert}: false if that
   * would take waiting, or cannot be. Then nothing has happened, and it is asked by {@link
   * #passRange} once no latch is held.
   */
  default boolean tryPassRange(long from, long to) {
    return false;
  }
}
