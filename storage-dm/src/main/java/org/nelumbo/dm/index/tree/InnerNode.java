package org.nelumbo.dm.index.tree;

/**
 * A copy of an inner node, decoded so that a search compares words. It may be out of date: then it
 * leads to a node whose range does not contain the key, which is detected at that node. Immutable.
 */
final class InnerNode {
  final long address;
  final int level;
  private final Node node = new Node();
  private final long[] heads;
  private final long[] children;

  InnerNode(Node from) {
    node.copyFrom(from);
    address = from.address;
    level = from.level();
    heads = new long[from.count()];
    children = new long[from.count()];
    for (int i = 0; i < heads.length; i++) {
      heads[i] = i == 0 ? Long.MIN_VALUE : from.suffixHead(i);
      children[i] = from.value(i);
    }
  }

  /** Returns the child whose range contains a key. */
  long child(byte[] key, int length) {
    return children[Math.max(countUpTo(key, length, 0) - 1, 0)];
  }

  /** Returns the child whose range contains the keys just below a key. */
  long childBelow(byte[] key, int length) {
    return children[Math.max(countUpTo(key, length, -1) - 1, 0)];
  }

  /** Returns the number of children. */
  int count() {
    return children.length;
  }

  /** Returns child {@code i}, counted from the left. */
  long child(int i) {
    return children[i];
  }

  long lastChild() {
    return children[children.length - 1];
  }

  /**
   * Returns the number of entries with keys below a key, or equal to it if {@code limit} is 0
   * rather than -1.
   */
  private int countUpTo(byte[] key, int length, int limit) {
    int order = node.comparePrefix(key, length);
    if (order != 0) {
      return order < 0 ? 0 : heads.length;
    }
    long head = KeyBytes.head(key, node.prefixLength(), length);
    int end = countHeadsUpTo(head);
    while (end > 1 && heads[end - 1] == head && node.compareSuffix(end - 1, key, length) > limit) {
      end--;
    }
    return end;
  }

  private int countHeadsUpTo(long head) {
    int base = 0;
    int rest = heads.length;
    while (rest > 1) {
      int half = rest >>> 1;
      base = heads[base + half - 1] <= head ? base + half : base;
      rest -= half;
    }
    return rest == 1 && heads[base] <= head ? base + 1 : base;
  }
}
