package org.nelumbo.executor.cache;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Cached CVTs by LOTUS key, in sets of eight; each key belongs to one set. If a set is full, an
 * entry without a touch mark is evicted; if all have one, the marks of the set are cleared. Unlike
 * a cache that admits only frequently requested entries, this table keeps entries that have just
 * been read, since rows are read ahead for statements that follow within milliseconds.
 *
 * <p>Reading takes no lock. Changes require the key's {@link #lock}.
 */
final class CvtTable {
  private static final int WAYS = 8;
  private static final int LOCKS = 256;

  /** Spacing that puts each counter into its own cache line. */
  private static final int COUNTER_DISTANCE = 16;

  private final AtomicReferenceArray<CachedCvt> slots;
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

  /** Number of CVTs by lock, which guards it; changed in steps that cannot throw. */
  private final int[] sizes = new int[LOCKS * COUNTER_DISTANCE];

  private final int setMask;

  /**
   * Creates an empty table.
   *
   * @param capacity number of CVTs, rounded down to a power of two, at least one set
   */
  CvtTable(int capacity) {
    int sets = Integer.highestOneBit(Math.max(1, capacity / WAYS));
    slots = new AtomicReferenceArray<>(sets * WAYS);
    setMask = sets - 1;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /**
   * Returns the lock of a key, which other keys share. Locks are held briefly, and never two at a
   * time.
   */
  ReentrantLock lock(long lotusKey) {
    return locks[set(lotusKey) & LOCKS - 1];
  }

  /** Waits for the end of all changes that are in progress. */
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

  /** Returns the cached CVT, or null. */
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

  /** Adds a CVT, or replaces the entry of its key. */
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

  /** Returns the approximate number of CVTs. */
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

  /** Returns the maximum number of CVTs. */
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

  private int room(long lotusKey) {
    int first = set(lotusKey) * WAYS;
    int start = (int) (lotusKey >>> 20) & WAYS - 1; // keys of a set start at different slots
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

  private void beginAnew(int first) {
    for (int slot = first; slot < first + WAYS; slot++) {
      slots.get(slot).clearTouched();
    }
  }

  /** Visits all entries; entries that change meanwhile may be visited or not. */
  void forEach(Consumer<CachedCvt> visitor) {
    for (int slot = 0; slot < slots.length(); slot++) {
      CachedCvt each = slots.get(slot);
      if (each != null) {
        visitor.accept(each);
      }
    }
  }

  /**
   * Checks the invariants of an idle table: every CVT is in the set of its key, no key occurs
   * twice, and the size is right.
   *
   * @throws IllegalStateException if an invariant is violated
   */
  void verify() {
    long count = 0;
    for (int slot = 0; slot < slots.length(); slot++) {
      CachedCvt each = slots.get(slot);
      if (each != null) {
        count++;
        if (find(each.lotusKey()) != slot) {
          throw new IllegalStateException(
              "CVT table is broken: a key is in a wrong set, or occurs twice lotusKey="
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
