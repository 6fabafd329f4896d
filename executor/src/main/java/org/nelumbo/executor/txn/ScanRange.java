package org.nelumbo.executor.txn;

import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.table.IndexStore;

/**
 * A range of keys of an ordered index, and how it is to be scanned: the argument of {@link
 * RangeScan#open}. Bounds are set anew by {@link #all}, {@link #from}, {@link #between}, {@link
 * #closed} or {@link #prefix}; direction, lock mode and hint stay until they are changed. Keys are
 * copied. Reusable; not thread-safe.
 */
public final class ScanRange {
  /** Bounds; one of length 0 is open. */
  final KeyBuffer low = new KeyBuffer();

  final KeyBuffer high = new KeyBuffer();

  IndexStore index;
  boolean highInclusive;
  ScanDirection direction = ScanDirection.ASCENDING;
  LockMode lockMode = LockMode.READ;
  int rowsHint;

  /** The whole index. */
  public ScanRange all(IndexStore of) {
    index = of;
    low.clear();
    high.clear();
    highInclusive = true;
    return this;
  }

  /** All keys that are not less than {@code least}. */
  public ScanRange from(IndexStore of, KeyBuffer least) {
    all(of);
    low.copyFrom(least);
    return this;
  }

  /** {@code least <= key < bound}; an empty key is an open bound. */
  public ScanRange between(IndexStore of, KeyBuffer least, KeyBuffer bound) {
    index = of;
    low.copyFrom(least);
    high.copyFrom(bound);
    highInclusive = false;
    return this;
  }

  /** {@code least <= key <= greatest}; an empty key is an open bound. */
  public ScanRange closed(IndexStore of, KeyBuffer least, KeyBuffer greatest) {
    between(of, least, greatest);
    highInclusive = true;
    return this;
  }

  /**
   * All keys that begin with {@code prefix}: values of the first columns of the index, made with
   * its {@code KeyFormat}.
   */
  public ScanRange prefix(IndexStore of, KeyBuffer prefix) {
    between(of, prefix, prefix);
    KeyEncoder.toPrefixSuccessor(high);
    return this;
  }

  /** Ascending at first. */
  public ScanRange direction(ScanDirection newDirection) {
    direction = newDirection;
    return this;
  }

  /**
   * Lock mode of the rows.
   *
   * @param mode READ at first; {@link LockMode#WRITE} if the rows are going to be written
   */
  public ScanRange lockMode(LockMode mode) {
    lockMode = mode;
    return this;
  }

  /** How many rows the caller expects to take; 0, as at first, if unknown. */
  public ScanRange rowsHint(int rows) {
    rowsHint = rows;
    return this;
  }
}
