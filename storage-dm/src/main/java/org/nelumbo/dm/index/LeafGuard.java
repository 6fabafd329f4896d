package org.nelumbo.dm.index;

/**
 * Hooks by which the executor locks leaves of an ordered index, so that scans are free of phantoms.
 * The locks are in the executor's lock table; an index only calls the hooks.
 *
 * <p>{@link #enterScan} is called before a leaf is read for a scan; the transaction keeps the lock
 * until it ends. {@link #enterInsert} is called before an entry is added to a leaf, {@link
 * #exitInsert} after it was added (or was not). Scanners of that leaf are excluded only between the
 * two: from then on the row's own lock protects the entry.
 *
 * <p><b>Changes.</b> If {@link #excludesChanges}, whoever adds or removes entries of a leaf, splits
 * or removes it, has the leaf exclusively: {@link #enterInsert} includes that, and {@link
 * #enterChange} is that alone, regardless of scanners. Then the latch word of the leaf, which names
 * the compute node that repairs it after a failure, is written instead of being acquired by CAS. A
 * thread that has a leaf exclusively waits for nothing but verbs, and never for another leaf.
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
   * Returns true if {@link #enterInsert}, {@link #tryEnterInsert}, {@link #enterChange} and {@link
   * #tryEnterChange} exclude all other changes of the leaf, on all compute nodes.
   */
  default boolean excludesChanges() {
    return false;
  }

  /**
   * Excludes other changes of a leaf, to remove entries or to remove the leaf. Returns false if
   * this is impossible at present; nothing has changed then, and the change must be made later.
   */
  default boolean enterChange(long leafAddress) {
    return true;
  }

  /** Does the same as {@link #enterChange} without waiting, for several leaves at a time. */
  default boolean tryEnterChange(long leafAddress) {
    return true;
  }

  /**
   * Returns the content of a leaf that was entered for an insert or a change, if it is known here;
   * null otherwise. It is unknown from now on, until {@link #keepImage}.
   *
   * @param index identity of the index
   */
  default byte[] takeImage(Object index, long leafAddress) {
    return null;
  }

  /**
   * Keeps the content of a leaf that is still entered, and whose changes have arrived in the pool.
   */
  default void keepImage(Object index, long leafAddress, byte[] bytes) {}

  /** Returns true if {@link #keepImage} may keep the content of a leaf. */
  default boolean keepsImage(long leafAddress) {
    return false;
  }

  /** Ends {@link #enterChange} and {@link #tryEnterChange}. */
  default void exitChange(long leafAddress) {}

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
   * Called before a part of the range of {@code from}, or all of it, moves to the leaf {@code to};
   * no latch is held. A transaction that has scanned {@code from} itself must lock {@code to} for
   * scanning too, since inserts into that part of the range will lock {@code to} only. Returns
   * false on a conflict: the transaction must abort.
   */
  default boolean passRange(long from, long to) {
    return true;
  }

  /**
   * Does the same as {@link #passRange} while latches are held, also after {@link #tryEnterInsert}.
   * Returns false if this would have to wait, or is impossible. Then nothing has changed, and
   * {@link #passRange} is called once the leaf is left.
   */
  default boolean tryPassRange(long from, long to) {
    return false;
  }
}
