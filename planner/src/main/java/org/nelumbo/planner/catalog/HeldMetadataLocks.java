package org.nelumbo.planner.catalog;

import java.util.Arrays;

/** The gates a session is inside of. Written by the session's thread, read by schema changes. */
public final class HeldMetadataLocks {
  private volatile MetadataLock[] gates = new MetadataLock[8];
  private volatile int count;

  /**
   * Enters a gate, waiting while it is closed.
   *
   * @return false if it was still closed when the time was over
   */
  public boolean acquire(MetadataLock gate, long timeoutNanos) {
    MetadataLock[] held = gates;
    int size = count;
    for (int i = 0; i < size; i++) {
      if (held[i] == gate) {
        return true;
      }
    }
    if (size == held.length) {
      held = Arrays.copyOf(held, size * 2);
      gates = held;
    }
    while (true) {
      held[size] = gate;
      count = size + 1;
      if (!gate.isExclusive()) {
        return true;
      }
      count = size;
      if (!gate.awaitUnlocked(timeoutNanos)) {
        return false;
      }
    }
  }

  /** Leaves all gates: the transaction is over. */
  public void releaseAll() {
    if (count > 0) {
      count = 0;
    }
  }

  /** Whether the session is inside of a gate. */
  public boolean holds(MetadataLock gate) {
    int size = count;
    MetadataLock[] held = gates;
    for (int i = 0; i < Math.min(size, held.length); i++) {
      if (held[i] == gate) {
        return true;
      }
    }
    return false;
  }
}
