package org.nelumbo.executor.cache;

import java.util.Arrays;
import org.nelumbo.executor.table.TableStore;

/**
 * Keys that a transaction had looked for before it wanted them, and that no entry of the hash index
 * was found for; so that those who want them need not look again. Kept until the transaction ends.
 *
 * <p><b>Under the key's lock</b> the answer counts if the key's sequence number in the {@link
 * CvtCache} is still the one of before the look. Whoever inserts a row makes a new sequence number
 * when its entry is there and before he gives the write lock back: if that came before the first of
 * these sequence numbers was taken the look found the entry; if it came later the sequence number
 * is another one. That is so for keys whose locks are granted here; others are looked for again.
 *
 * <p><b>A snapshot</b> that began before the look sees no such row, whatever came later: the entry
 * of a row that it sees was there before the row's commit timestamp was drawn, and stays while a
 * snapshot sees the row.
 *
 * <p>Not thread-safe.
 */
public final class NegativeLookupCache {
  private static final int FIRST_SLOTS = 1 << 6;
  private static final int SLOTS_KEPT = 1 << 10;

  /** More are looked for again. */
  private static final int SIZE_MAX = 1 << 14;

  private final CvtCache cache;

  /** Slots, by the key; a LOTUS key is never 0, which is a free slot. */
  private long[] lotusKeys = {};

  private int[] tables = {};
  private long[] sequences = {};
  private int size;

  NegativeLookupCache(CvtCache cache) {
    this.cache = cache;
  }

  /**
   * Adds a key.
   *
   * @param sequence of the key, taken before the look
   */
  public void put(TableStore table, long lotusKey, long sequence) {
    if (2 * size >= lotusKeys.length) {
      if (size >= SIZE_MAX) {
        return;
      }
      grow();
    }
    int slot = slot(table.id(), lotusKey);
    size += lotusKeys[slot] == 0 ? 1 : 0;
    enter(slot, table.id(), lotusKey, sequence);
  }

  private void enter(int slot, int table, long lotusKey, long sequence) {
    tables[slot] = table;
    lotusKeys[slot] = lotusKey;
    sequences[slot] = sequence;
  }

  /** Whether it is known that there is no row, for whoever holds the key's lock. */
  public boolean isAbsentUnderLock(TableStore table, long lotusKey) {
    if (size == 0) {
      return false;
    }
    int slot = slot(table.id(), lotusKey);
    return cache.isKept(lotusKey)
        && lotusKeys[slot] != 0
        && sequences[slot] == cache.sequence(lotusKey);
  }

  /** Whether it is known that the transaction's snapshot has no such row. */
  public boolean isAbsent(TableStore table, long lotusKey) {
    return size > 0 && lotusKeys[slot(table.id(), lotusKey)] != 0;
  }

  /** The slot of a key, or the free one where it belongs. */
  private int slot(int table, long lotusKey) {
    int mask = lotusKeys.length - 1;
    int slot = (int) ((lotusKey ^ table) * 0x9E3779B97F4A7C15L >>> 40) & mask;
    while (lotusKeys[slot] != 0 && (lotusKeys[slot] != lotusKey || tables[slot] != table)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /** Replaces all arrays, or none if there is no memory. */
  private void allocate(int slots) {
    long[] newKeys = new long[slots];
    int[] newTables = new int[slots];
    sequences = new long[slots];
    lotusKeys = newKeys;
    tables = newTables;
  }

  private void grow() {
    long[] oldKeys = lotusKeys;
    int[] oldTables = tables;
    long[] oldSequences = sequences;
    allocate(Math.max(FIRST_SLOTS, 2 * oldKeys.length));
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        enter(slot(oldTables[i], oldKeys[i]), oldTables[i], oldKeys[i], oldSequences[i]);
      }
    }
  }

  void clear() {
    if (lotusKeys.length > SLOTS_KEPT) {
      allocate(FIRST_SLOTS);
    } else if (size > 0) {
      Arrays.fill(lotusKeys, 0);
    }
    size = 0;
  }
}
