package org.nelumbo.executor.lock.remote;

import java.util.Arrays;
import java.util.function.LongPredicate;
import org.nelumbo.executor.lock.LockMode;

/**
 * The locks that were granted to one transaction: key, mode, the number of the request, and the
 * number of the granter. Open addressing over primitive arrays, without garbage. Not thread-safe.
 * Positions are valid until the next {@link #add} or {@link #remove}.
 */
final class GrantSet {
  private static final int FIRST_CAPACITY = 16;

  /**
   * Larger arrays are not kept when the set is empty, so that iteration over all positions stays
   * short.
   */
  private static final int CAPACITY_KEPT = 256;

  private long[] keys = new long[FIRST_CAPACITY];
  private long[] sequences = new long[FIRST_CAPACITY];
  private int[] granters = new int[FIRST_CAPACITY];

  /** 0 is an empty position. */
  private byte[] modes = new byte[FIRST_CAPACITY];

  private int size;

  int size() {
    return size;
  }

  /** Returns the number of positions, occupied or not. */
  int capacity() {
    return modes.length;
  }

  boolean isTaken(int at) {
    return modes[at] != 0;
  }

  /** Returns the position of a lock, or -1. */
  int find(long key) {
    for (int at = home(key); modes[at] != 0; at = at + 1 & modes.length - 1) {
      if (keys[at] == key) {
        return at;
      }
    }
    return -1;
  }

  /** Returns true if the lock was granted to the request with that number. */
  boolean isOf(int at, long sequence) {
    return sequences[at] == sequence;
  }

  long key(int at) {
    return keys[at];
  }

  LockMode mode(int at) {
    return LockMode.of(modes[at]);
  }

  long sequence(int at) {
    return sequences[at];
  }

  int granter(int at) {
    return granters[at];
  }

  /** Adds a lock, or replaces its entry. */
  void add(long key, LockMode mode, long sequence, int granter) {
    int at = find(key);
    if (at < 0) {
      if (2 * (size + 1) > modes.length) {
        rehash(modes.length * 2);
      }
      size++;
      at = index(key);
    }
    set(at, key, mode.code(), sequence, granter);
  }

  private int index(long key) {
    int at = home(key);
    while (modes[at] != 0) {
      at = at + 1 & modes.length - 1;
    }
    return at;
  }

  private void set(int at, long key, byte mode, long sequence, int granter) {
    keys[at] = key;
    modes[at] = mode;
    sequences[at] = sequence;
    granters[at] = granter;
  }

  /**
   * Removes a lock, and moves up entries that probing would no longer find. Removing the last lock
   * may shrink the arrays.
   */
  void remove(int at) {
    if (size == 1) {
      clear();
      return;
    }
    int mask = modes.length - 1;
    int hole = at;
    for (int i = at + 1 & mask; modes[i] != 0; i = i + 1 & mask) {
      if ((i - home(keys[i]) & mask) >= (i - hole & mask)) {
        set(hole, keys[i], modes[i], sequences[i], granters[i]);
        hole = i;
      }
    }
    modes[hole] = 0;
    size--;
  }

  void clear() {
    if (modes.length > CAPACITY_KEPT) {
      allocate(FIRST_CAPACITY);
    } else if (size > 0) {
      Arrays.fill(modes, (byte) 0);
    }
    size = 0;
  }

  /** Returns true if the key of any lock satisfies the predicate. */
  boolean any(LongPredicate wanted) {
    for (int at = 0; at < modes.length; at++) {
      if (modes[at] != 0 && wanted.test(keys[at])) {
        return true;
      }
    }
    return false;
  }

  /** Replaces all arrays, or none if there is no memory. */
  private void allocate(int capacity) {
    long[] newKeys = new long[capacity];
    long[] newSequences = new long[capacity];
    int[] newGranters = new int[capacity];
    modes = new byte[capacity];
    keys = newKeys;
    sequences = newSequences;
    granters = newGranters;
  }

  private void rehash(int capacity) {
    long[] oldKeys = keys;
    long[] oldSequences = sequences;
    int[] oldGranters = granters;
    byte[] oldModes = modes;
    allocate(capacity);
    for (int i = 0; i < oldModes.length; i++) {
      if (oldModes[i] != 0) {
        set(index(oldKeys[i]), oldKeys[i], oldModes[i], oldSequences[i], oldGranters[i]);
      }
    }
  }

  private int home(long key) {
    return (int) (key * 0x9E3779B97F4A7C15L >>> 32) & modes.length - 1;
  }
}
