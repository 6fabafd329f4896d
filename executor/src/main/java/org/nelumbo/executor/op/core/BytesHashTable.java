package org.nelumbo.executor.op.core;

import java.util.Arrays;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.LotusKeys;

/**
 * A hash table of byte strings, numbered from 0 in the order they were added: groups, distinct
 * rows, join keys. Open addressing over primitive arrays; no garbage once it has grown. Not
 * thread-safe.
 */
public final class BytesHashTable {
  private static final int INITIAL = 16;
  private static final int KEPT = 1 << 16;
  private static final int MAX_ARENA = Integer.MAX_VALUE - 64;

  private byte[] arena = new byte[INITIAL * 16];
  private int used;
  private int[] ends = new int[INITIAL];
  private long[] hashes = new long[INITIAL];
  private int[] slots = new int[INITIAL * 2];
  private int size;
  private boolean lastAdded;

  public int size() {
    return size;
  }

  public void clear() {
    if (slots.length > KEPT) {
      arena = new byte[INITIAL * 16];
      ends = new int[INITIAL];
      hashes = new long[INITIAL];
      slots = new int[INITIAL * 2];
    } else if (size > 0) {
      Arrays.fill(slots, 0);
    }
    used = 0;
    size = 0;
  }

  /** The number of a string, -1 if it is not there. */
  public int find(byte[] bytes, int offset, int length) {
    long hash = LotusKeys.hash(0, bytes, offset, length);
    int slot = slotOf(hash, bytes, offset, length);
    return slots[slot] - 1;
  }

  /** Adds a string; false if it was there. */
  public boolean add(byte[] bytes, int offset, int length) {
    findOrAdd(bytes, offset, length);
    return lastAdded;
  }

  /** The number of a string, which is added if it is not there. */
  public int findOrAdd(byte[] bytes, int offset, int length) {
    long hash = LotusKeys.hash(0, bytes, offset, length);
    int slot = slotOf(hash, bytes, offset, length);
    lastAdded = slots[slot] == 0;
    if (!lastAdded) {
      return slots[slot] - 1;
    }
    if (size == ends.length) {
      grow();
      slot = slotOf(hash, bytes, offset, length);
    }
    ensure(length);
    System.arraycopy(bytes, offset, arena, used, length);
    used += length;
    hashes[size] = hash;
    ends[size] = used;
    slots[slot] = ++size;
    return size - 1;
  }

  /** Whether the last string was new. */
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

  /** The arena that holds the strings; moves when one is added. */
  public byte[] bytes() {
    return arena;
  }

  /** Where a string starts in the arena. */
  public int start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  int length(int index) {
    return ends[index] - start(index);
  }

  private void ensure(int more) {
    long wanted = (long) used + more;
    if (wanted > arena.length) {
      if (wanted > MAX_ARENA) {
        throw new NelumboException(
            ErrorCode.OUT_OF_MEMORY, "a statement keeps more than 2 GiB of keys; group less");
      }
      arena = Arrays.copyOf(arena, (int) Math.min(MAX_ARENA, Math.max(2L * arena.length, wanted)));
    }
  }

  private void grow() {
    ends = Arrays.copyOf(ends, size * 2);
    hashes = Arrays.copyOf(hashes, size * 2);
    slots = new int[ends.length * 2];
    int mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = (int) (hashes[i] >>> 32) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i + 1;
    }
  }
}
