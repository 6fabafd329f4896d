package org.nelumbo.executor.index;

import java.util.Arrays;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * Locks of the values to which a transaction is about to add entries, in mode INSERT: {@link #add}
 * these, {@link #enter}, add the entries, {@link #leave} when the entries are there. Those who scan
 * such a value ({@link IndexValues}) are waited for; nothing may be latched. Not thread-safe.
 */
public final class ValueLocks {
  private final KeyLocks locks;
  private long[] keys = new long[4];
  private int count;

  /** Locks of the first ones are to be given back. */
  private int entered;

  public ValueLocks(KeyLocks locks) {
    this.locks = locks;
  }

  /** Adds the value of an entry of a secondary index. */
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

  /** Locks what was added: OK, or CONFLICT or CANCELLED, and nothing is locked or added. */
  public Outcome enter() {
    entered = locks.enterInserts(keys, count);
    if (entered >= 0) {
      return Outcome.OK;
    }
    leave();
    return locks.failure();
  }

  /** Gives the locks back, and forgets the values. */
  public void leave() {
    locks.exitInserts(keys, entered);
    entered = 0;
    count = 0;
  }
}
