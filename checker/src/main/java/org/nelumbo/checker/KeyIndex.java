package org.nelumbo.checker;

import java.util.Arrays;
import org.nelumbo.history.History;
import org.nelumbo.history.OperationKind;

/** The keys of a history, numbered densely in ascending order. */
final class KeyIndex {
  private final int[] keys;
  private final boolean[] list;

  /**
   * @throws IllegalArgumentException if a key is used both as a list and as a row
   */
  KeyIndex(History history) {
    int[] all = new int[history.operations()];
    int used = 0;
    for (int i = 0; i < all.length; i++) {
      if (history.kind(i) != OperationKind.SCAN) {
        all[used++] = history.key(i);
      }
    }
    keys = Arrays.stream(all, 0, used).sorted().distinct().toArray();
    list = new boolean[keys.length];
    boolean[] row = new boolean[keys.length];
    for (int i = 0; i < all.length; i++) {
      OperationKind kind = history.kind(i);
      if (kind != OperationKind.SCAN) {
        int index = of(history.key(i));
        (kind.isOfList() ? list : row)[index] = true;
        if (list[index] && row[index]) {
          throw new IllegalArgumentException("used as list and as row key=" + history.key(i));
        }
      }
    }
  }

  int count() {
    return keys.length;
  }

  /** Returns the number of a key; negative if it does not occur. */
  int of(int key) {
    return Arrays.binarySearch(keys, key);
  }

  /** Returns the number of the smallest key that is not less than the argument. */
  int ceiling(int key) {
    int index = of(key);
    return index >= 0 ? index : -index - 1;
  }

  int key(int index) {
    return keys[index];
  }

  boolean isList(int index) {
    return list[index];
  }
}
