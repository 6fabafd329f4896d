package org.nelumbo.executor.index;

import java.util.Arrays;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * Locks, in mode INSERT, on the values to which a transaction is about to add entries. Order of
 * calls: {@link #add} the values, {@link #enter}, add the entries to their indexes, {@link #leave}.
 * Entering waits for scans of these values ({@link IndexValues}), so the caller must not hold a
 * latch. Not thread-safe.
 */
public final class ValueLocks {
  private final KeyLocks locks;
  private long[] keys = new long[4];
  private int count;

  /** Number of locks to be released: those of the first keys. */
  private int entered;

  public ValueLocks(KeyLocks locks) {
    this.locks = locks;
  }

  /** Adds the value of a secondary index entry, unless it has been added already. */
  public void add(IndexStore index, KeyBuffer entryKey) {
    long key = IndexValues.lockKey(index, entryKey);
    for (int i = count - 1; i >= 0; i--) {
      if (keys[i] == key) {
        return;
      }
    }
    if (count == keys.length) {
      keys = Arrays.copyOf(keys, 4 * count);
    }
    keys[count++] = key;
  }

  /**
   * Locks the added values. Returns OK; or CONFLICT or CANCELLED, after which no value is locked or
   * added.
   */
  public Outcome enter() {
    entered = locks.enterInserts(keys, count);
    if (entered >= 0) {
      return Outcome.OK;
    }
    leave();
    return locks.failure();
  }

  /** Releases the locks and discards the values. */
  public void leave() {
    locks.exitInserts(keys, entered);
    entered = 0;
    count = 0;
  }
}
