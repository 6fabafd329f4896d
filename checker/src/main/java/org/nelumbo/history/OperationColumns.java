package org.nelumbo.history;

import java.util.Arrays;

/**
 * Operations in growing columns, of a whole history or of a session's transaction. Not thread-safe.
 */
final class OperationColumns {
  private static final int INITIAL = 64;

  int size;
  byte[] kind = new byte[INITIAL];
  int[] key = new int[INITIAL];

  /** The value written or read; for a LIST or SCAN, the index of its first element in the pool. */
  long[] value = new long[INITIAL];

  /** For a READ, 0 if it found no row; for a LIST or SCAN, the number of elements or rows. */
  int[] count = new int[INITIAL];

  int poolSize;
  long[] pool = new long[INITIAL];

  void clear() {
    size = 0;
    poolSize = 0;
  }

  void add(OperationKind operation, int itsKey, long itsValue, int itsCount) {
    if (size == kind.length) {
      int capacity = size * 2;
      kind = Arrays.copyOf(kind, capacity);
      key = Arrays.copyOf(key, capacity);
      value = Arrays.copyOf(value, capacity);
      count = Arrays.copyOf(count, capacity);
    }
    kind[size] = (byte) operation.ordinal();
    key[size] = itsKey;
    value[size] = itsValue;
    count[size] = itsCount;
    size++;
  }

  void addElement(long element) {
    if (poolSize == pool.length) {
      pool = Arrays.copyOf(pool, poolSize * 2);
    }
    pool[poolSize++] = element;
  }

  /** Appends the operations of another object. */
  void addAll(OperationColumns other) {
    int shift = poolSize;
    for (int i = 0; i < other.size; i++) {
      OperationKind operation = OperationKind.of(other.kind[i]);
      boolean pooled = operation == OperationKind.LIST || operation == OperationKind.SCAN;
      add(operation, other.key[i], other.value[i] + (pooled ? shift : 0), other.count[i]);
    }
    for (int i = 0; i < other.poolSize; i++) {
      addElement(other.pool[i]);
    }
  }
}
