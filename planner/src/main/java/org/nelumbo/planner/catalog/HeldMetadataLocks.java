package org.nelumbo.planner.catalog;

import java.util.Arrays;
import org.nelumbo.executor.outcome.CancellationToken;

/**
 * The metadata locks that a session holds. Written by the thread of the session, read by schema
 * changes.
 */
public final class HeldMetadataLocks {
  private volatile MetadataLock[] locks = new MetadataLock[8];
  private volatile int count;

  /**
   * Acquires a lock. Waits while a schema change holds it exclusively.
   *
   * @param inTransaction whether the session holds resources for which other transactions may wait.
   *     Such a session waits only for a short time while the schema change itself is waiting, see
   *     {@link MetadataLock}
   * @param stop ends the wait when it is set
   * @return false if the schema change still held the lock at the end of the wait
   */
  public boolean acquire(
      MetadataLock lock, long timeoutNanos, boolean inTransaction, CancellationToken stop) {
    MetadataLock[] held = locks;
    int size = count;
    for (int i = 0; i < size; i++) {
      if (held[i] == lock) {
        return true;
      }
    }
    if (size == held.length) {
      held = Arrays.copyOf(held, size * 2);
      locks = held;
    }
    boolean first = false;
    while (true) {
      held[size] = lock;
      count = size + 1;
      if (lock.admits(first)) {
        return true;
      }
      count = size;
      if (!lock.await(timeoutNanos, inTransaction, stop)) {
        return false;
      }
      first = inTransaction;
    }
  }

  /** Releases all locks at the end of a transaction. */
  public void releaseAll() {
    if (count > 0) {
      count = 0;
    }
  }

  /** Returns true if the session holds a lock. */
  public boolean holds(MetadataLock lock) {
    int size = count;
    MetadataLock[] held = locks;
    for (int i = 0; i < Math.min(size, held.length); i++) {
      if (held[i] == lock) {
        return true;
      }
    }
    return false;
  }
}
