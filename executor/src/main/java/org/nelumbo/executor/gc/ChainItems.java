package org.nelumbo.executor.gc;

/**
 * A map from CVT addresses to items of a garbage list that are overflow chains. A row that is
 * written all the time has one item, however many versions are added to its chain. An open hash
 * table with linear probing. Not thread-safe.
 */
final class ChainItems {
  /** A power of two. */
  private static final int INITIAL_SLOTS = 16;

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private GarbageList.Item[] slots;

  private int size;

  /** Returns the item of a CVT; null if it has none. */
  GarbageList.Item get(long cvt) {
    return size == 0 ? null : slots[slot(cvt)];
  }

  /** Makes room for the given number of items, so that {@link #add} cannot throw. */
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

  /** Adds the item of a CVT that has none, in space that {@link #reserve} has made. */
  void add(GarbageList.Item item) {
    slots[slot(item.cvt)] = item;
    size++;
  }

  /** Removes the item of a CVT, which has one. */
  void remove(long cvt) {
    int mask = slots.length - 1;
    int hole = slot(cvt);
    for (int at = hole + 1 & mask; slots[at] != null; at = at + 1 & mask) {
      // An item that would not be found behind the hole moves into it.
      if ((at - home(slots[at].cvt) & mask) >= (at - hole & mask)) {
        slots[hole] = slots[at];
        hole = at;
      }
    }
    slots[hole] = null;
    size--;
  }

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
