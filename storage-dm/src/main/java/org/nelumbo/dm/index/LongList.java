package org.nelumbo.dm.index;

import java.util.Arrays;

/** A growable list of longs, for the rare paths of both indexes. Not thread-safe. */
public final class LongList {
  private long[] values = new long[64];
  private int size;

  /** Returns a list of one value. */
  public static LongList of(long value) {
    LongList list = new LongList();
    list.add(value);
    return list;
  }

  public void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  public long get(int index) {
    return values[index];
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public boolean contains(long value) {
    for (int i = 0; i < size; i++) {
      if (values[i] == value) {
        return true;
      }
    }
    return false;
  }

  public void clear() {
    size = 0;
  }

  /** Returns the values in ascending order, without duplicates. */
  public long[] sorted() {
    return Arrays.stream(values, 0, size).sorted().distinct().toArray();
  }
}
