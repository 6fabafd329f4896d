package org.nelumbo.executor.txn;

import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.table.IndexStore;

/**
 * A range of keys of an ordered index, with direction, lock mode and row hint: the argument of
 * {@link RangeScan#open}. {@link #all}, {@link #from}, {@link #between}, {@link #closed} and {@link
 * #prefix} set new bounds; direction, lock mode and hint keep their values until they are changed.
 * Keys are copied. Reusable; not thread-safe.
 */
public final class ScanRange {
  /** Lower bound, inclusive; unbounded if its length is 0, as is {@link #high}. */
  final KeyBuffer low = new KeyBuffer();

  final KeyBuffer high = new KeyBuffer();

  IndexStore index;
  boolean highInclusive;
  ScanDirection direction = ScanDirection.ASCENDING;
  LockMode lockMode = LockMode.READ;
  int rowsHint;

  /** Selects the whole index. */
  public ScanRange all(IndexStore of) {
    index = of;
    low.clear();
    high.clear();
    highInclusive = true;
    return this;
  }

  /** Selects all keys that are not less than {@code least}. */
  public ScanRange from(IndexStore of, KeyBuffer least) {
    all(of);
    low.copyFrom(least);
    return this;
  }

  /** Selects {@code least <= key < bound}; an empty key is an open bound. */
  public ScanRange between(IndexStore of, KeyBuffer least, KeyBuffer bound) {
    index = of;
    low.copyFrom(least);
    high.copyFrom(bound);
    highInclusive = false;
    return this;
  }

  /** Selects {@code least <= key <= greatest}; an empty key is an open bound. */
  public ScanRange closed(IndexStore of, KeyBuffer least, KeyBuffer greatest) {
    between(of, least, greatest);
    highInclusive = true;
    return this;
  }

  /**
   * Selects all keys that begin with {@code prefix}: values of the first columns of the index,
   * encoded with its {@code KeyFormat}.
   */
  public ScanRange prefix(IndexStore of, KeyBuffer prefix) {
    between(of, prefix, prefix);
    KeyEncoder.toPrefixSuccessor(high);
    return this;
  }

  /** Sets the direction; the default is ascending. */
  public ScanRange direction(ScanDirection newDirection) {
    direction = newDirection;
    return this;
  }

  /**
   * Sets the lock mode of the rows.
   *
   * @param mode {@link LockMode#WRITE} if the rows are going to be written; the default is READ
   */
  public ScanRange lockMode(LockMode mode) {
    lockMode = mode;
    return this;
  }

  /** Sets the number of rows that the caller expects to take; 0, the default, if unknown. */
  public ScanRange rowsHint(int rows) {
    rowsHint = rows;
    return this;
  }
}
