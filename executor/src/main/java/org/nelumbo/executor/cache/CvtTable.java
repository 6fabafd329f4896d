package org.nelumbo.executor.cache;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Cached CVTs by LOTUS key, in sets of eight: a key belongs to one set. Where a set is full, one
 * goes that was not asked for since the last one had to go. Unlike a cache that admits only what
 * was asked for often before, this keeps what has just been read: rows are read ahead for
 * statements that come within milliseconds.
 *
 * <p>Reading takes no lock. Whoever changes something holds the key's {@link #lock}.
 */
final class CvtTable {
  private static final int WAYS = 8;
  private static final int LOCKS = 256;

  /** One to a cache line. */
  private static final int COUNTER_DISTANCE = 16;

  private final AtomicReferenceArray<CachedCvt> slots;
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

  /** CVTs by lock, which guards each; counted by steps in which nothing can be thrown. */
  private final int[] sizes = new int[LOCKS * COUNTER_DISTANCE];

  private final int setMask;

  /**
   * An empty table.
   *
   * @param capacity CVTs, rounded down to a power of two, at least one set
   */
  CvtTable(int capacity) {
    int sets = Integer.highestOneBit(Math.max(1, capacity / WAYS));
    slots = new AtomicReferenceArray<>(sets * WAYS);
    setMask = sets - 1;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /** The lock of a key and of others; held shortly, and never two of them. */
  ReentrantLock lock(long lotusKey) {
    return locks[set(lotusKey) & LOCKS - 1];
  }

  /** Waits until all changes have ended that are in progress now. */
  void awaitChanges() {
    for (ReentrantLock each : locks) {
      each.lock();
      try {
        assert each.isHeldByCurrentThread();
      } finally {
        each.unlock();
      }
    }
  }

  /** The cached CVT, or null. */
  CachedCvt get(long lotusKey) {
    int first = set(lotusKey) * WAYS;
    for (int slot = first; slot < first + WAYS; slot++) {
      CachedCvt each = slots.get(slot);
      if (each != null && each.lotusKey() == lotusKey) {
        each.touch();
        return each;
      }
    }
    return null;
  }

  /** Puts a CVT in the place of what is cached of its key. */
  void put(CachedCvt cvt) {
    int slot = find(cvt.lotusKey());
    if (slot < 0) {
      slot = room(cvt.lotusKey());
    }
    int more = slots.get(slot) == null ? 1 : 0;
    int counter = counter(cvt.lotusKey());
    slots.set(slot, cvt);
    sizes[counter] += more;
  }

  void remove(long lotusKey) {
    int slot = find(lotusKey);
    if (slot >= 0) {
      int counter = counter(lotusKey);
      slots.set(slot, null);
      sizes[counter]--;
    }
  }

  /** CVTs that there are, about. */
  long size() {
    long sum = 0;
    for (int i = 0; i < sizes.length; i += COUNTER_DISTANCE) {
      sum += sizes[i];
    }
    return sum;
  }

  private int counter(long lotusKey) {
    return (set(lotusKey) & LOCKS - 1) * COUNTER_DISTANCE;
  }

  /** CVTs that there can be. */
  int capacity() {
    return slots.length();
  }

  private int find(long lotusKey) {
    int first = set(lotusKey) * WAYS;
    for (int slot = first; slot < first + WAYS; slot++) {
      CachedCvt each = slots.get(slot);
      if (each != null && each.lotusKey() == lotusKey) {
        return slot;
      }
    }
    return -1;
  }

  /** A free slot of the key's set; or that of a CVT that was not asked for. */
  private int room(long lotusKey) {
    int first = set(lotusKey) * WAYS;
    int start = (int) (lotusKey >>> 20) & WAYS - 1; // each key begins elsewhere
    int untouched = -1;
    for (int i = 0; i < WAYS; i++) {
      int slot = first + (start + i & WAYS - 1);
      CachedCvt each = slots.get(slot);
      if (each == null) {
        return slot;
      }
      if (untouched < 0 && !each.isTouched()) {
        untouched = slot;
      }
    }
    if (untouched < 0) {
      beginAnew(first);
    }
    return untouched >= 0 ? untouched : first + start;
  }

  /** All of a set were asked for: from now on it counts who is again. */
  private void beginAnew(int first) {
    for (int slot = first; slot < first + WAYS; slot++) {
      slots.get(slot).clearTouched();
    }
  }

  /** Visits all that is cached; what changes meanwhile may be visited or not. */
  void forEach(Consumer<CachedCvt> visitor) {
    for (int slot = 0; slot < slots.length(); slot++) {
      CachedCvt each = slots.get(slot);
      if (each != null) {
        visitor.accept(each);
      }
    }
  }

  /**
   * Checks what must hold while nothing is going on: every CVT is in the set of its key, no key is
   * there twice, the size is right.
   *
   * @throws IllegalStateException if it does not hold
   */
  void verify() {
    long count = 0;
    for (int slot = 0; slot < slots.length(); slot++) {
      CachedCvt each = slots.get(slot);
      if (each != null) {
        count++;
        if (find(each.lotusKey()) != slot) {
          throw new IllegalStateException(
              "CVT table is broken: a key in a foreign set, or twice lotusKey="
                  + Long.toHexString(each.lotusKey())
                  + " slot="
                  + slot);
        }
      }
    }
    if (count != size()) {
      throw new IllegalStateException(
          "CVT table is broken: wrong size, size=" + size() + " entries=" + count);
    }
  }

  private int set(long lotusKey) {
    long mixed = (lotusKey ^ lotusKey >>> 32) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 40) & setMask;
  }
}
