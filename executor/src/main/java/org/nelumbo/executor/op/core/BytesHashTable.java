package org.nelumbo.executor.op.core;

import java.util.Arrays;
import org.nelumbo.dm.env.ProcessSeed;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.row.LotusKeys;

/**
 * A hash table of byte strings, numbered from 0 in the order of their addition: groups, distinct
 * rows, join keys. It uses open addressing over primitive arrays, and makes no garbage once it has
 * grown. Memory beyond a small initial amount is reserved in the statement's budget. Not
 * thread-safe.
 *
 * <p>Each process seeds the hash function differently, so that an attacker cannot choose keys that
 * collide.
 */
public final class BytesHashTable {
  /** Returned by {@link #tryFindOrAdd} if there is no memory for another string. */
  public static final int NO_MEMORY = -1;

  private static final long SEED = ProcessSeed.value();
  private static final int INITIAL = 16;
  private static final int MAX_ARENA = Integer.MAX_VALUE - 64;

  private final MemoryAccount account;
  private byte[] arena = new byte[INITIAL * 16];
  private int used;
  private int[] ends = new int[INITIAL];
  private long[] hashes = new long[INITIAL];
  private int[] slots = new int[INITIAL * 2];
  private int size;
  private boolean lastAdded;
  private long reserved = MemoryAccount.FREE_BYTES;

  /** Creates a table of few strings whose memory is not counted. */
  public BytesHashTable() {
    this(null);
  }

  /** Creates a table whose memory is reserved by the account. */
  public BytesHashTable(MemoryAccount account) {
    this.account = account;
  }

  public int size() {
    return size;
  }

  /** Removes all strings; keeps the memory for later ones. */
  public void clear() {
    if (size > 0) {
      Arrays.fill(slots, 0);
    }
    used = 0;
    size = 0;
  }

  /** Removes all strings, and releases memory beyond a small initial amount. */
  public void release() {
    if (reserved > MemoryAccount.FREE_BYTES) {
      arena = new byte[INITIAL * 16];
      ends = new int[INITIAL];
      hashes = new long[INITIAL];
      slots = new int[INITIAL * 2];
      account.close();
      reserved = MemoryAccount.FREE_BYTES;
      used = 0;
      size = 0;
    } else {
      clear();
    }
  }

  /**
   * Returns the partition of a string, computed with a different hash function at each level.
   *
   * @param parts number of partitions, a power of two
   */
  public static int part(byte[] bytes, int offset, int length, int level, int parts) {
    return (int) (LotusKeys.hash(SEED + 1 + level, bytes, offset, length) >>> 48) & (parts - 1);
  }

  /** Returns the number of a string, or -1 if it is absent. */
  public int find(byte[] bytes, int offset, int length) {
    long hash = LotusKeys.hash(SEED, bytes, offset, length);
    int slot = slotOf(hash, bytes, offset, length);
    lastAdded = false;
    return slots[slot] - 1;
  }

  /** Adds a string; returns false if it was present. */
  public boolean add(byte[] bytes, int offset, int length) {
    findOrAdd(bytes, offset, length);
    return lastAdded;
  }

  /**
   * Returns the number of a string, which is added if absent. Fails with 53200 if there is no
   * memory.
   */
  public int findOrAdd(byte[] bytes, int offset, int length) {
    int number = tryFindOrAdd(bytes, offset, length);
    if (number == NO_MEMORY) {
      throw account.exhausted(2 * reserved);
    }
    return number;
  }

  /** Returns the number of a string, which is added if absent, or {@link #NO_MEMORY}. */
  public int tryFindOrAdd(byte[] bytes, int offset, int length) {
    long hash = LotusKeys.hash(SEED, bytes, offset, length);
    int slot = slotOf(hash, bytes, offset, length);
    lastAdded = false;
    if (slots[slot] != 0) {
      return slots[slot] - 1;
    }
    if (size == ends.length) {
      if (!grow()) {
        return NO_MEMORY;
      }
      slot = slotOf(hash, bytes, offset, length);
    }
    if (used + (long) length > arena.length && !growArena(length)) {
      return NO_MEMORY;
    }
    System.arraycopy(bytes, offset, arena, used, length);
    used += length;
    hashes[size] = hash;
    ends[size] = used;
    slots[slot] = ++size;
    lastAdded = true;
    return size - 1;
  }

  /** Returns true if the last lookup has added its string. */
  public boolean lastAdded() {
    return lastAdded;
  }

  private int slotOf(long hash, byte[] bytes, int offset, int length) {
    int mask = slots.length - 1;
    int slot = (int) (hash >>> 32) & mask;
    for (int found; (found = slots[slot]) != 0; slot = (slot + 1) & mask) {
      int i = found - 1;
      if (hashes[i] == hash
          && Arrays.equals(arena, start(i), ends[i], bytes, offset, offset + length)) {
        return slot;
      }
    }
    return slot;
  }

  /** Returns the arena that holds the strings; it is replaced when the table grows. */
  public byte[] bytes() {
    return arena;
  }

  /** Returns the start index of a string in the arena. */
  public int start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  private long heapBytes() {
    return arena.length + 12L * ends.length + 4L * slots.length;
  }

  /** The new array exists together with the present ones. */
  private boolean reserve(long more) {
    long wanted = heapBytes() + more;
    if (wanted > reserved && account != null) {
      if (!account.tryResize(wanted)) {
        return false;
      }
      reserved = wanted;
    }
    return true;
  }

  private boolean growArena(int more) {
    long wanted = (long) used + more;
    long length = Math.min(MAX_ARENA, Math.max(2L * arena.length, wanted));
    if (wanted > MAX_ARENA || !reserve(length)) {
      return false;
    }
    arena = Arrays.copyOf(arena, (int) length);
    return true;
  }

  private boolean grow() {
    if (size > MAX_ARENA / 4 || !reserve(40L * size)) {
      return false;
    }
    int[] moreEnds = Arrays.copyOf(ends, size * 2);
    hashes = Arrays.copyOf(hashes, size * 2);
    slots = new int[size * 4];
    ends = moreEnds;
    int mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = (int) (hashes[i] >>> 32) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i + 1;
    }
    return true;
  }
}
