package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.KEY_LENGTH_MAX;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * The copies of nodes that one operation works on, reused by the thread's next operation.
 * Operations are not nested.
 */
final class Workspace {
  private static final ThreadLocal<Workspace> OF_THREAD = ThreadLocal.withInitial(Workspace::new);

  /** The node that is visited on the way down. */
  final Node visited = new Node();

  /** The node that is changed. */
  final Node node = new Node();

  /** Result of the change: the node encoded anew, or the two halves of a split. */
  final Node left = new Node();

  final Node right = new Node();

  /**
   * A node for checks, and for encoding a node anew; the left neighbour of a node that is removed.
   */
  final Node other = new Node();

  final Node parent = new Node();

  final NodeBuilder builder = new NodeBuilder();

  /** The separator of a split that is not in the parent yet. */
  final byte[] separator = new byte[KEY_LENGTH_MAX];

  int separatorLength;

  final byte[] posted = new byte[KEY_LENGTH_MAX];

  int postedLength;

  final byte[] scratch = new byte[KEY_LENGTH_MAX];

  /** Memory for the right half of a split, NULL if there is none. */
  long spare = PoolAddress.NULL;

  /**
   * The leaf whose guard has consented that the spare receives part of its range; NULL if there is
   * none.
   */
  long spareFor = PoolAddress.NULL;

  /**
   * A node that a fresh path reached from its left sibling only, since its parent does not list it;
   * NULL if there was none.
   */
  long unlisted = PoolAddress.NULL;

  int unlistedLevel;

  /** Clears the state of an earlier insert. */
  void beginInsert() {
    spare = PoolAddress.NULL;
    spareFor = PoolAddress.NULL;
    unlisted = PoolAddress.NULL;
  }

  /** Records the right sibling of a node as one that its parent does not list. */
  void noteUnlisted(Node left) {
    unlisted = left.right();
    unlistedLevel = left.level();
  }

  /** Sets the separator to the low fence of a node. */
  void separatorOf(Node of) {
    separatorLength = of.copyLow(separator);
  }

  static Workspace get() {
    return OF_THREAD.get();
  }
}
