package org.nelumbo.dm.alloc;

import java.util.Arrays;

/** A growing stack of longs. */
final class LongStack {
  private static final long[] EMPTY = {};
  private static final int FIRST_CAPACITY = 16;

  private long[] values = EMPTY;
  private int size;

  int size() {
    return size;
  }

  void push(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.max(FIRST_CAPACITY, size * 2));
    }
    values[size++] = value;
  }

  /** Removes the top; there must be one. */
  long pop() {
    return values[--size];
  }

  long get(int index) {
    return values[index];
  }

  /** Removes a value; the top moves to its index. */
  long removeAt(int index) {
    long value = values[index];
    values[index] = values[--size];
    return value;
  }

  /** Returns all values, from the bottom. */
  long[] toArray() {
    return Arrays.copyOf(values, size);
  }

  /** Moves up to {@code count} values from the top of this stack to another. */
  int moveTo(LongStack other, int count) {
    int moved = Math.min(count, size);
    for (int i = 0; i < moved; i++) {
      other.push(pop());
    }
    return moved;
  }
}
