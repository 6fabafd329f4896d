package org.nelumbo.dm.index.hash;

import java.util.Arrays;

/** A growable list of longs, for the rare paths. */
final class LongList {
  private long[] values = new long[64];
  private int size;

  static LongList of(long value) {
    LongList list = new LongList();
    list.add(value);
    return list;
  }

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  long get(int index) {
    return values[index];
  }

  void set(int index, long value) {
    values[index] = value;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }
}
