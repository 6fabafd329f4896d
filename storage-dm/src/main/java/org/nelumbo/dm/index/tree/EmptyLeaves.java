package org.nelumbo.dm.index.tree;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A small, lossy set of leaves that this compute node found empty and that may be removed from the
 * tree. A leaf that is dropped for lack of room is added again by the next scan that passes it.
 * Thread-safe, never waits.
 */
final class EmptyLeaves {
  private static final int SLOTS = 256;
  private static final int PROBES = 4;

  private final AtomicLongArray slots = new AtomicLongArray(SLOTS);
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger hand = new AtomicInteger();

  void add(long leaf) {
    int start = (int) (leaf * 0x9E3779B97F4A7C15L >>> 56);
    for (int probe = 0; probe < PROBES; probe++) {
      int slot = (start + probe) & (SLOTS - 1);
      long noted = slots.get(slot);
      if (noted == leaf) {
        return;
      }
      if (noted == PoolAddress.NULL && slots.compareAndSet(slot, PoolAddress.NULL, leaf)) {
        count.incrementAndGet();
        return;
      }
    }
  }

  boolean isEmpty() {
    return count.get() == 0;
  }

  /** Removes and returns a leaf; NULL if there is none. */
  long take() {
    for (int i = 0; i < SLOTS && !isEmpty(); i++) {
      int slot = hand.getAndIncrement() & (SLOTS - 1);
      if (slots.get(slot) != PoolAddress.NULL) {
        long leaf = slots.getAndSet(slot, PoolAddress.NULL);
        if (leaf != PoolAddress.NULL) {
          count.decrementAndGet();
          return leaf;
        }
      }
    }
    return PoolAddress.NULL;
  }
}
