package org.nelumbo.dm.alloc;

import java.util.Arrays;

/** Free addresses of one size class, last in first out: what was freed last is likely to be in the cache. Not thread-safe. */
final class FreeList {
  private long[] addresses = new long[16];
  private int size;

  int size() {
    return size;
  }

  void push(long address) {
    if (size == addresses.length) {
      addresses = Arrays.copyOf(addresses, size * 2);
    }
    addresses[size++] = address;
  }

  /** The address freed last; the list must not be empty. */
  long pop() {
    return addresses[--size];
  }

  /** Moves up to {@code count} addresses to another list. */
  void moveTo(FreeList other, int count) {
    for (int i = Math.min(count, size); i > 0; i--) {
      other.push(pop());
    }
  }
}
