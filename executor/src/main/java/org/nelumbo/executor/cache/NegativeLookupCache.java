package org.nelumbo.executor.cache;

import java.util.Arrays;
import org.nelumbo.executor.table.TableStore;

/**
 * Keys that a transaction looked up ahead of use, and for which the hash index had no entry, so
 * that the later use needs no second lookup. Kept until the transaction ends. Not thread-safe.
 *
 * <p><b>Under the key's lock</b> the result is valid if the key's sequence number in the {@link
 * CvtCache} is the same as before the lookup. An insert of a row draws a new sequence number after
 * its entry is added and before it releases the write lock. If that happened before the first of
 * these numbers was taken, the lookup found the entry; if it happened later, the number differs.
 * This holds for keys whose locks are granted here; other keys are looked up again.
 *
 * <p><b>A snapshot</b> that began before the lookup sees no such row, whatever happens later. The
 * entry of a row that it sees was added before the row's commit timestamp was drawn, and stays
 * while a snapshot sees the row.
 */
public final class NegativeLookupCache {
  private static final int FIRST_SLOTS = 1 << 6;
  private static final int SLOTS_KEPT = 1 << 10;

  /** Maximum number of keys; further keys are looked up again. */
  private static final int SIZE_MAX = 1 << 14;

  private final CvtCache cache;

  /** Hash table by key; a LOTUS key is never 0, which marks a free slot. */
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
   * @param sequence sequence number of the key, taken before the lookup
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

  /** Returns true if there is certainly no row, provided that the caller holds the key's lock. */
  public boolean isAbsentUnderLock(TableStore table, long lotusKey) {
    if (size == 0) {
      return false;
    }
    int slot = slot(table.id(), lotusKey);
    return cache.isKept(lotusKey)
        && lotusKeys[slot] != 0
        && sequences[slot] == cache.sequence(lotusKey);
  }

  /** Returns true if the transaction's snapshot is known to contain no such row. */
  public boolean isAbsent(TableStore table, long lotusKey) {
    return size > 0 && lotusKeys[slot(table.id(), lotusKey)] != 0;
  }

  private int slot(int table, long lotusKey) {
    int mask = lotusKeys.length - 1;
    int slot = (int) ((lotusKey ^ table) * 0x9E3779B97F4A7C15L >>> 40) & mask;
    while (lotusKeys[slot] != 0 && (lotusKeys[slot] != lotusKey || tables[slot] != table)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

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
