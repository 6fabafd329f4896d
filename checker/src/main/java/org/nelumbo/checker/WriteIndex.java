package org.nelumbo.checker;

import java.util.Arrays;
import org.nelumbo.history.History;
import org.nelumbo.history.OperationKind;

/**
 * An index of a history's writes: finds the write operation of a value by its key, and the
 * transaction of an operation.
 */
final class WriteIndex {
  /** Result for a value without a write. */
  static final int NONE = -1;

  private final History history;
  private final int[] transactionOf;
  private final boolean[] last;
  private final int[] table;

  /**
   * @throws IllegalArgumentException if a value was written twice to a key
   */
  WriteIndex(History history, KeyIndex keys) {
    this.history = history;
    int operations = history.operations();
    this.transactionOf = new int[operations];
    this.last = new boolean[operations];
    this.table = new int[Integer.highestOneBit(Math.max(operations, 1)) << 2];
    Arrays.fill(table, NONE);
    int[] lastOfKey = new int[keys.count()];
    Arrays.fill(lastOfKey, NONE);
    for (int t = 0; t < history.size(); t++) {
      for (int i = history.firstOperation(t); i < history.endOperation(t); i++) {
        transactionOf[i] = t;
        if (history.kind(i).isWrite()) {
          add(i, lastOfKey, keys.of(history.key(i)), t);
        }
      }
    }
  }

  private void add(int operation, int[] lastOfKey, int keyIndex, int transaction) {
    int before = lastOfKey[keyIndex];
    if (before != NONE && transactionOf[before] == transaction) {
      last[before] = false;
    }
    lastOfKey[keyIndex] = operation;
    last[operation] = true;
    if (history.kind(operation) != OperationKind.DELETE) {
      enter(operation);
    }
  }

  private void enter(int operation) {
    int key = history.key(operation);
    long value = history.value(operation);
    int slot = slot(key, value);
    if (table[slot] != NONE) {
      throw new IllegalArgumentException("written twice key=" + key + " value=" + value);
    }
    table[slot] = operation;
  }

  /** Returns the write of a value, or {@link #NONE}. */
  int of(int key, long value) {
    return table[slot(key, value)];
  }

  private int slot(int key, long value) {
    long mixed = (value * 0x9e3779b97f4a7c15L + key) * 0xbf58476d1ce4e5b9L;
    int slot = (int) (mixed >>> 33) & (table.length - 1);
    while (table[slot] != NONE
        && (history.key(table[slot]) != key || history.value(table[slot]) != value)) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  int transactionOf(int operation) {
    return transactionOf[operation];
  }

  /** Returns true if an operation is the last write of its transaction to its key. */
  boolean isLast(int operation) {
    return last[operation];
  }
}
