package org.nelumbo.dm.index;

/**
 * Hooks by which the executor locks leaves of an ordered index, so that scans are free of phantoms.
 * The locks are in the executor's lock table; an index only calls the hooks.
 *
 * <p>{@link #enterScan} is called before a leaf is read for a scan; the transaction keeps the lock
 * until it ends. {@link #enterInsert} is called before an entry is added to a leaf, {@link
 * #exitInsert} after it was added (or was not). Scanners of that leaf are excluded only between the
 * two: from then on the row's own lock protects the entry.
 */
public interface LeafGuard {
  /** A guard without locks, for snapshot reads, loaders and single-threaded tests. */
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

  /** Locks a leaf for a scan. Returns false on a conflict: the transaction must abort. */
  boolean enterScan(long leafAddress);

  /** Locks a leaf for an insert. Returns false on a conflict: the transaction must abort. */
  boolean enterInsert(long leafAddress);

  void exitInsert(long leafAddress);

  /**
   * Locks a leaf as {@link #enterInsert} does, for a caller that locks several leaves at a time,
   * each released by {@link #exitTriedInsert}. Returns false if this would have to wait, or would
   * hold the leaf for more than a short time. Then no lock is taken, and the entry is added on its
   * own.
   */
  default boolean tryEnterInsert(long leafAddress) {
    return false;
  }

  /** Releases a leaf that {@link #tryEnterInsert} has locked. */
  default void exitTriedInsert(long leafAddress) {}

  /**
   * Called between {@link #enterInsert} and {@link #exitInsert} of {@code from}, before a part of
   * its range, or all of it, moves to the leaf {@code to}. A transaction that has scanned {@code
   * from} itself must lock {@code to} for scanning too, since inserts into that part of the range
   * will lock {@code to} only. Returns false on a conflict: the transaction must abort.
   */
  default boolean passRange(long from, long to) {
    return true;
  }

  /**
   * Does the same as {@link #passRange} while latches are held, also after {@link #tryEnterInsert}.
   * Returns false if this would have to wait, or is impossible. Then nothing has changed, and
   * {@link #passRange} is called once no latch is held.
   */
  default boolean tryPassRange(long from, long to) {
    return false;
  }
}
