package org.nelumbo.checker;

import java.util.Arrays;

/**
 * A table with one row for each pair of transaction and key: the version that the transaction found
 * before it wrote, and its last write. The rows are grouped by key after the scan.
 */
final class AccessTable {
  /** Value of a found version: the transaction has not read the key. */
  static final int NOT_READ = -1;

  /** Value of a found version: the row did not exist. */
  static final int NOTHING = -2;

  /**
   * Value of a found version: the read is invalid and has been reported; nothing is derived from
   * it.
   */
  static final int BROKEN = -3;

  private int size;
  private int[] transaction = new int[64];
  private int[] key = new int[64];

  /** For a row, the write operation of the version found; for a list, the LIST operation. */
  private int[] found = new int[64];

  /** For a list, the number of elements before the transaction's own appends. */
  private int[] length = new int[64];

  private int[] write = new int[64];

  /** For a list, the transaction's first append. */
  private int[] firstWrite = new int[64];

  /** True if only a range read has found the version. */
  private boolean[] byRange = new boolean[64];

  private int[] firstOfKey;
  private int[] order;

  int add(int itsTransaction, int itsKey) {
    if (size == key.length) {
      grow();
    }
    transaction[size] = itsTransaction;
    key[size] = itsKey;
    found[size] = NOT_READ;
    length[size] = 0;
    write[size] = WriteIndex.NONE;
    firstWrite[size] = WriteIndex.NONE;
    byRange[size] = false;
    return size++;
  }

  private void grow() {
    int capacity = size * 2;
    transaction = Arrays.copyOf(transaction, capacity);
    key = Arrays.copyOf(key, capacity);
    found = Arrays.copyOf(found, capacity);
    length = Arrays.copyOf(length, capacity);
    write = Arrays.copyOf(write, capacity);
    firstWrite = Arrays.copyOf(firstWrite, capacity);
    byRange = Arrays.copyOf(byRange, capacity);
  }

  /** Groups the rows by key. */
  void seal(int keys) {
    firstOfKey = new int[keys + 1];
    for (int i = 0; i < size; i++) {
      firstOfKey[key[i] + 1]++;
    }
    for (int i = 0; i < keys; i++) {
      firstOfKey[i + 1] += firstOfKey[i];
    }
    int[] next = Arrays.copyOf(firstOfKey, keys);
    order = new int[size];
    for (int i = 0; i < size; i++) {
      order[next[key[i]]++] = i;
    }
  }

  /** Returns the position of the first row of a key, for {@link #row}. */
  int firstOf(int itsKey) {
    return firstOfKey[itsKey];
  }

  int endOf(int itsKey) {
    return firstOfKey[itsKey + 1];
  }

  /** Returns the row at a position between {@link #firstOf} and {@link #endOf}. */
  int row(int position) {
    return order[position];
  }

  int transaction(int row) {
    return transaction[row];
  }

  int found(int row) {
    return found[row];
  }

  void setFound(int row, int version, boolean range) {
    found[row] = version;
    byRange[row] = range;
  }

  int length(int row) {
    return length[row];
  }

  void setLength(int row, int elements) {
    length[row] = elements;
  }

  int write(int row) {
    return write[row];
  }

  int firstWrite(int row) {
    return firstWrite[row];
  }

  void setWrite(int row, int operation) {
    write[row] = operation;
    if (firstWrite[row] == WriteIndex.NONE) {
      firstWrite[row] = operation;
    }
  }

  void clearWrite(int row) {
    write[row] = WriteIndex.NONE;
  }

  boolean isByRange(int row) {
    return byRange[row];
  }
}
