package org.nelumbo.executor.lock;

import java.util.Arrays;
import java.util.List;

/**
 * The locks that one transaction holds: the lock state of LOTUS section 4.1, kept in the
 * coordinator instead of a shared map. It makes lock requests idempotent, and records the location
 * of the row of a key, so that a write after a read needs no second lookup.
 *
 * <p>An entry represents one lock of the lock table, under its identity: two keys with one
 * fingerprint share an entry, and the lock is released once (invariant 11 of {@code
 * docs/architecture.md}).
 *
 * <p>Uses open addressing over primitive arrays; allocates nothing once the arrays have grown to a
 * transaction's size. Not thread-safe.
 */
public final class LockSet {
  /** Small, since every open connection has such a set; it grows on demand. */
  private static final int INITIAL_ENTRIES = 16;

  private static final int KEPT_ENTRIES = 1 << 14;

  private long[] identities = new long[INITIAL_ENTRIES];
  private long[] keys = new long[INITIAL_ENTRIES];
  private long[] addresses = new long[INITIAL_ENTRIES];

  private byte[] modes = new byte[INITIAL_ENTRIES];

  private int size;

  /** Entry index + 1 by hashed identity; 0 is empty. */
  private int[] slots = new int[INITIAL_ENTRIES * 2];

  private int mask = slots.length - 1;

  private boolean isInserting;

  int size() {
    return size;
  }

  /** Returns true while a lock is held in mode INSERT that is not in the set. */
  boolean isInserting() {
    return isInserting;
  }

  void setInserting(boolean inserting) {
    isInserting = inserting;
  }

  /** Returns the entry of a lock, or -1. */
  int find(long identity) {
    int slot = hash(identity) & mask;
    for (int entry; (entry = slots[slot]) != 0; slot = (slot + 1) & mask) {
      if (identities[entry - 1] == identity) {
        return entry - 1;
      }
    }
    return -1;
  }

  /**
   * Makes room for one more lock. Must be called before the lock is acquired, so that recording it
   * cannot fail.
   */
  void reserve() {
    if (size == identities.length) {
      grow();
    }
  }

  /**
   * Adds a lock that was just granted and is not in the set, after {@link #reserve}.
   *
   * @param key key by which the lock has to be released
   * @return the entry of the lock
   */
  int add(long identity, long key, LockMode mode) {
    int entry = size++;
    identities[entry] = identity;
    keys[entry] = key;
    addresses[entry] = 0;
    modes[entry] = mode.code();
    link(entry);
    return entry;
  }

  /** Removes the lock that was added last. */
  void removeLast() {
    unlink(--size); // no other entry is probed past its slot, since it was linked last
  }

  long key(int entry) {
    return keys[entry];
  }

  LockMode mode(int entry) {
    return LockMode.of(modes[entry]);
  }

  void setMode(int entry, LockMode mode) {
    modes[entry] = mode.code();
  }

  /**
   * Returns the address of the CVT last found under this lock, or 0. The address is a hint, since
   * two primary keys may share a LOTUS key.
   */
  long address(int entry) {
    return addresses[entry];
  }

  void setAddress(int entry, long cvtAddress) {
    addresses[entry] = cvtAddress;
  }

  /**
   * Adds the locks to a list. Any thread may call this; the result need not be the state at a
   * single moment.
   */
  void addTo(List<LockState> locks) {
    long[] seenKeys = keys;
    long[] seenAddresses = addresses;
    byte[] seenModes = modes;
    int limit = Math.min(seenKeys.length, Math.min(seenAddresses.length, seenModes.length));
    for (int entry = 0; entry < Math.min(size, limit); entry++) {
      if (seenModes[entry] != 0) {
        LockMode mode = LockMode.of(seenModes[entry]);
        locks.add(new LockState(seenKeys[entry], mode, seenAddresses[entry], true));
      }
    }
  }

  /** Returns the approximate size on the heap in bytes. */
  public long heapBytes() {
    return 60L * size;
  }

  /** Removes all entries; the locks must have been released. */
  void clear() {
    if (identities.length > KEPT_ENTRIES) {
      size = 0;
      identities = new long[INITIAL_ENTRIES];
      keys = new long[INITIAL_ENTRIES];
      addresses = new long[INITIAL_ENTRIES];
      modes = new byte[INITIAL_ENTRIES];
      slots = new int[INITIAL_ENTRIES * 2];
      mask = slots.length - 1;
    } else if (size * 8 > slots.length) {
      Arrays.fill(slots, 0);
    } else {
      for (int entry = 0; entry < size; entry++) {
        unlink(entry);
      }
    }
    size = 0;
  }

  /**
   * Called during the removal of all entries, when probing past emptied slots no longer matters.
   */
  private void unlink(int entry) {
    int slot = hash(identities[entry]) & mask;
    while (slots[slot] != entry + 1) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = 0;
  }

  private void link(int entry) {
    int slot = hash(identities[entry]) & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = entry + 1;
  }

  /** Leaves the set unchanged if there is no memory. */
  private void grow() {
    int capacity = size * 2;
    long[] moreIdentities = Arrays.copyOf(identities, capacity);
    long[] moreKeys = Arrays.copyOf(keys, capacity);
    long[] moreAddresses = Arrays.copyOf(addresses, capacity);
    byte[] moreModes = Arrays.copyOf(modes, capacity);
    slots = new int[capacity * 2];
    mask = slots.length - 1;
    identities = moreIdentities;
    keys = moreKeys;
    addresses = moreAddresses;
    modes = moreModes;
    for (int entry = 0; entry < size; entry++) {
      link(entry);
    }
  }

  private static int hash(long identity) {
    long mixed = identity * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }
}
