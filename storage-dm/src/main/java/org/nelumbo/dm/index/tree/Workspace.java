package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.KEY_LENGTH_MAX;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * The copies of nodes that one operation works on, kept for the thread's next one. No operation
 * runs inside another.
 */
final class Workspace {
  private static final ThreadLocal<Workspace> OF_THREAD = ThreadLocal.withInitial(Workspace::new);

  /** On the way down. */
  final Node visited = new Node();

  /** The node that is changed. */
  final Node node = new Node();

  /** Result of the change: the node encoded anew, or the two halves of a split. */
  final Node left = new Node();

  final Node right = new Node();

  /** For checks, and for encoding a node anew; the left neighbour of a node that is removed. */
  final Node other = new Node();

  /** The parent of a node that is removed. */
  final Node parent = new Node();

  final NodeBuilder builder = new NodeBuilder();

  /** The separator that a split owes the parent. */
  final byte[] separator = new byte[KEY_LENGTH_MAX];

  int separatorLength;

  /** The separator that is being posted. */
  final byte[] posted = new byte[KEY_LENGTH_MAX];

  int postedLength;

  final byte[] scratch = new byte[KEY_LENGTH_MAX];

  /** Memory for the right half of a split, NULL if there is none. */
  long spare = PoolAddress.NULL;

  /** The leaf whose guard lets the spare have part of its range, NULL if there is none. */
  long spareFor = PoolAddress.NULL;

  /**
   * A node that could be reached from its left sibling only, by a fresh way: its parent does not
   * list it. NULL if there was none.
   */
  long unlisted = PoolAddress.NULL;

  int unlistedLevel;

  /** Forgets what an earlier insert has left. */
  void beginInsert() {
    spare = PoolAddress.NULL;
    spareFor = PoolAddress.NULL;
    unlisted = PoolAddress.NULL;
  }

  /** Notes the right sibling of a node as one that its parent does not list. */
  void noteUnlisted(Node left) {
    unlisted = left.right();
    unlistedLevel = left.level();
  }

  /** Takes the low fence of a node as separator. */
  void separatorOf(Node of) {
    separatorLength = of.copyLow(separator);
  }

  static Workspace get() {
    return OF_THREAD.get();
  }
}
