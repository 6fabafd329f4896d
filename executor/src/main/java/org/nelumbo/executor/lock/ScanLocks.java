package org.nelumbo.executor.lock;

import java.util.Arrays;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;

/**
 * The scan locks that a transaction acquires to add rows to tables without ordered index, several
 * at a time and each once. It waits for nothing between {@link #tryEnter} and {@link #leave}.
 * Running scans block inserts, and inserts block scans while they add their entries. Not
 * thread-safe.
 */
public final class ScanLocks {
  private final KeyLocks locks;
  private long[] entered = new long[4];
  private int count;

  public ScanLocks(KeyLocks locks) {
    this.locks = locks;
  }

  /**
   * Acquires the scan lock of a table that the transaction has scanned itself, until the
   * transaction ends. Must be called before any other scan lock is held. Returns OK, CONFLICT or
   * CANCELLED.
   */
  public Outcome acquireOwn(TableStore table) {
    boolean free =
        table.primary() != null
            || !locks.holds(table.scanLockKey())
            || locks.leafGuard().enterInsert(table.scanLockKey());
    return free ? Outcome.OK : locks.failure();
  }

  /**
   * Returns true if rows may be added to the table until {@link #leave}; always true if it is
   * ordered.
   */
  public boolean tryEnter(TableStore table) {
    if (table.primary() != null) {
      return true;
    }
    long key = table.scanLockKey();
    if (isEntered(key) || locks.holds(key, LockMode.WRITE)) {
      return true;
    }
    if (!locks.leafGuard().tryEnterInsert(key)) {
      return false;
    }
    if (count == entered.length) {
      entered = Arrays.copyOf(entered, 2 * count);
    }
    entered[count++] = key;
    return true;
  }

  private boolean isEntered(long key) {
    for (int i = 0; i < count; i++) {
      if (entered[i] == key) {
        return true;
      }
    }
    return false;
  }

  /** Releases the scan locks after the entries were added. */
  public void leave() {
    while (count > 0) {
      locks.leafGuard().exitTriedInsert(entered[--count]);
    }
  }
}
