package org.nelumbo.executor.recovery;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A set of index entries (key and CVT address), stored as 64-bit hashes. It always finds an entry
 * that it contains, and reports other entries as contained with negligible probability. Open
 * addressing, about 16 bytes per entry. Not thread-safe.
 */
final class KeySet {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private long[] slots = new long[64];
  private int size;

  void add(byte[] key, int length, long cvt) {
    if (2 * size >= slots.length) {
      grow();
    }
    if (put(hash(key, length, cvt))) {
      size++;
    }
  }

  int size() {
    return size;
  }

  boolean contains(byte[] key, int length, long cvt) {
    long hash = hash(key, length, cvt);
    int mask = slots.length - 1;
    for (int slot = (int) (hash >>> 32) & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      if (slots[slot] == hash) {
        return true;
      }
    }
    return false;
  }

  private boolean put(long hash) {
    int mask = slots.length - 1;
    int slot = (int) (hash >>> 32) & mask;
    while (slots[slot] != 0) {
      if (slots[slot] == hash) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    slots[slot] = hash;
    return true;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[old.length * 2];
    for (long hash : old) {
      if (hash != 0) {
        put(hash);
      }
    }
  }

  /** Returns a hash that is never 0, which marks a free slot. */
  private static long hash(byte[] key, int length, long cvt) {
    long hash = cvt * FACTOR + length;
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      hash = mix(hash ^ (long) WORD.get(key, at));
    }
    long rest = 0;
    for (; at < length; at++) {
      rest = rest << 8 | key[at] & 0xFF;
    }
    hash = mix(hash ^ rest);
    return hash == 0 ? 1 : hash;
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 32) * FACTOR;
    return mixed ^ mixed >>> 29;
  }
}
