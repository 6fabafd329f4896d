package org.nelumbo.dm.index.tree;

/**
 * Divides a full node, with a new entry, into two.
 *
 * <p>If the entry continues a run (it belongs directly after or before the newest entry, or after
 * the last entry of the index), the node is divided at the entry, so that ascending runs leave full
 * nodes behind, wherever in the key space they are. Otherwise it is divided near the middle; in a
 * leaf where the separator is shortest, which tends to be between two groups of rows.
 *
 * <p>The separator of a leaf's split is the shortest key that is above the last key on the left and
 * not above the first one on the right.
 */
final class NodeSplit {
  private static final int WINDOW_SHARE = 8;

  private NodeSplit() {}

  /**
   * Divides {@code w.node} into {@code w.left}, at its address, and {@code w.right}; the separator
   * is in {@code w.separator}. Nothing is written to the pool.
   *
   * @param at position of the new entry
   * @return true if one of them contains the new entry; if not, the nodes are too small for its
   *     key, and the caller tries again with the half it belongs to
   */
  static boolean divide(
      Workspace w,
      long rightAddress,
      int rightVersion,
      int at,
      byte[] key,
      int length,
      long value) {
    Node node = w.node;
    prepare(w, rightAddress, rightVersion);
    if (continuesRun(node, at) && divideAtRun(w, at, key, length, value)) {
      assert w.right.follows(w.left);
      return true;
    }
    if (divideNearMiddle(w, at, key, length, value)) {
      assert w.right.follows(w.left);
      return true;
    }
    if (!divideNearMiddle(w, -1, null, 0, 0)) {
      throw new IllegalStateException(
          "a node cannot be divided entries=" + node.count() + " keyLength=" + length);
    }
    return false;
  }

  private static void prepare(Workspace w, long rightAddress, int rightVersion) {
    w.left.become(w.node);
    w.left.setRight(rightAddress);
    w.right.become(w.node);
    w.right.address = rightAddress;
    w.right.isOwned = false;
    w.right.setHeader((long) rightVersion << 32);
  }

  private static boolean continuesRun(Node node, int at) {
    int count = node.count();
    int last = node.last();
    return (at == count && node.isRightmost()) || (last < count && (at == last + 1 || at == last));
  }

  /**
   * Divides at the entry, or as few entries beside it as the new fence of the full half requires.
   */
  private static boolean divideAtRun(Workspace w, int at, byte[] key, int length, long value) {
    int count = w.node.count();
    boolean atEnd = at == count;
    for (int off = 0; off <= count / 4; off++) {
      int cut = atEnd ? at - off : at + off;
      if (divideAt(w, cut, at, !atEnd, key, length, value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean divideNearMiddle(Workspace w, int at, byte[] key, int length, long value) {
    int count = w.node.count();
    int best = w.node.level() == 0 ? shortestSeparator(w) : count / 2;
    if (divideAt(w, best, at, false, key, length, value)) {
      return true;
    }
    for (int distance = 0; distance <= count / 2 + 1; distance++) {
      if (divideAt(w, count / 2 - distance, at, false, key, length, value)
          || divideAt(w, count / 2 + distance, at, false, key, length, value)) {
        return true;
      }
    }
    return false;
  }

  private static int shortestSeparator(Workspace w) {
    Node node = w.node;
    int middle = node.count() / 2;
    int window = node.count() / WINDOW_SHARE;
    int best = middle;
    int shortest = Integer.MAX_VALUE;
    for (int distance = 0; distance <= window; distance++) {
      for (int cut = middle - distance;
          cut <= middle + distance;
          cut += Math.max(2 * distance, 1)) {
        if (cut > 0 && cut < node.count()) {
          int shared = shared(w, cut);
          if (shared < shortest) {
            shortest = shared;
            best = cut;
          }
        }
      }
    }
    return best;
  }

  private static int shared(Workspace w, int cut) {
    int before = w.node.copyKey(cut - 1, w.scratch, 0);
    int behind = w.node.copyKey(cut, w.separator, 0);
    return KeyBytes.common(w.scratch, before, w.separator, behind);
  }

  /**
   * Divides before entry {@code cut}; a new entry at {@code cut} is added to the left if {@code
   * toLeft}, else to the right. Returns false if a half would be empty or does not fit.
   */
  private static boolean divideAt(
      Workspace w, int cut, int at, boolean toLeft, byte[] key, int length, long value) {
    Node node = w.node;
    int count = node.count();
    boolean inLeft = at >= 0 && (at < cut || (at == cut && toLeft));
    boolean inRight = at >= 0 && !inLeft;
    if (cut < 0 || cut > count || (cut == 0 && !inLeft) || (cut == count && !inRight)) {
      return false;
    }
    setSeparator(w, cut, inLeft && at == cut, inRight && at == cut, key, length);
    NodeBuilder builder = w.builder;
    builder.lowOf(node).high(w.separator, w.separatorLength).entries(node, 0, cut);
    if (inLeft) {
      builder.add(at, key, length, value);
    }
    if (!builder.build(w.left, node.level())) {
      return false;
    }
    builder.low(w.separator, w.separatorLength).highOf(node).entries(node, cut, count);
    if (inRight) {
      builder.add(at - cut, key, length, value);
    }
    return builder.build(w.right, node.level());
  }

  private static void setSeparator(
      Workspace w, int cut, boolean newIsBefore, boolean newIsBehind, byte[] key, int length) {
    Node node = w.node;
    int behind = length;
    if (newIsBehind) {
      System.arraycopy(key, 0, w.separator, 0, length);
    } else {
      behind = node.copyKey(cut, w.separator, 0);
    }
    w.separatorLength = behind;
    if (node.level() == 0) {
      int before = length;
      if (newIsBefore) {
        System.arraycopy(key, 0, w.scratch, 0, length);
      } else {
        before = node.copyKey(cut - 1, w.scratch, 0);
      }
      w.separatorLength = KeyBytes.common(w.scratch, before, w.separator, behind) + 1;
    }
  }
}
