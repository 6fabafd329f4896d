package org.nelumbo.executor.gc;

/**
 * The items of a garbage list that are about overflow chains, by the CVT: a row that is written all
 * the time has one, however many versions go into its chain. An open hash table with linear
 * probing. Not thread-safe.
 */
final class ChainItems {
  /** A power of two. */
  private static final int INITIAL_SLOTS = 16;

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  /** Null until there is one. */
  private GarbageList.Item[] slots;

  private int size;

  /** The item of a CVT; null if there is none. */
  GarbageList.Item get(long cvt) {
    return size == 0 ? null : slots[slot(cvt)];
  }

  /** Sees to it that so many more find room: {@link #add} throws nothing then. */
  void reserve(int more) {
    if (slots == null) {
      slots = new GarbageList.Item[INITIAL_SLOTS];
    }
    int length = slots.length;
    while ((size + more) * 2 > length) {
      length *= 2;
    }
    if (length > slots.length) {
      GarbageList.Item[] before = slots;
      slots = new GarbageList.Item[length];
      for (GarbageList.Item item : before) {
        if (item != null) {
          slots[slot(item.cvt)] = item;
        }
      }
    }
  }

  /** Adds the item of a CVT that has none, where {@link #reserve} has made room. */
  void add(GarbageList.Item item) {
    slots[slot(item.cvt)] = item;
    size++;
  }

  /** Removes the item of a CVT, which has one. */
  void remove(long cvt) {
    int mask = slots.length - 1;
    int hole = slot(cvt);
    for (int at = hole + 1 & mask; slots[at] != null; at = at + 1 & mask) {
      // What would not be found behind the hole moves into it.
      if ((at - home(slots[at].cvt) & mask) >= (at - hole & mask)) {
        slots[hole] = slots[at];
        hole = at;
      }
    }
    slots[hole] = null;
    size--;
  }

  /** Where the CVT's item is, or would be. */
  private int slot(long cvt) {
    int at = home(cvt);
    while (slots[at] != null && slots[at].cvt != cvt) {
      at = at + 1 & slots.length - 1;
    }
    return at;
  }

  private int home(long cvt) {
    return (int) (cvt * MULTIPLIER >>> Integer.SIZE) & slots.length - 1;
  }
}
