package org.nelumbo.dm.index.tree;

/** The two nodes that a split makes of one, with the new entry in one of them. */
record Halves(Node left, Node right) {
  /**
   * Splits a full node for an entry at position {@code at}: there if the inserts go up one after the other, so that the left node stays full; else as near the middle as both
   * parts, with their new fences, have room.
   */
  static Halves split(Node node, long address, int at, byte[] key, long value) {
    Halves halves = node.continuesRun(at) ? before(node, address, at, at, key, value) : null;
    int count = node.count();
    for (int distance = 0; halves == null && distance <= count; distance++) {
      halves = before(node, address, count / 2 + distance, at, key, value);
      if (halves == null) {
        halves = before(node, address, count / 2 - distance, at, key, value);
      }
    }
    if (halves == null) {
      throw new IllegalStateException("a node cannot be split entries=" + count + " key length=" + key.length);
    }
    return halves;
  }

  /** Splits before entry {@code middle}; null if there is no such place, or too little room in one of the parts. */
  private static Halves before(Node node, long address, int middle, int at, byte[] key, long value) {
    if (middle < 0 || middle > node.count()) {
      return null;
    }
    Halves halves = null;
    if (at <= middle && middle < node.count()) {
      halves = parts(node, address, middle, node.key(middle));
      if (halves != null && insert(halves.left, at, key, value)) {
        return halves;
      }
    }
    if (at >= middle) {
      halves = parts(node, address, middle, at == middle ? key : node.key(middle));
      if (halves != null && insert(halves.right, at - middle, key, value)) {
        return halves;
      }
    }
    return null;
  }

  private static Halves parts(Node node, long address, int middle, byte[] separator) {
    Node left = Node.part(node, node.address, 0, middle, node.low(), separator);
    Node right = Node.part(node, address, middle, node.count(), separator, node.high());
    return left == null || right == null ? null : new Halves(left, right);
  }

  private static boolean insert(Node node, int at, byte[] key, long value) {
    if (!node.hasRoom(key.length)) {
      return false;
    }
    node.insert(at, key, key.length, value);
    return true;
  }
}
