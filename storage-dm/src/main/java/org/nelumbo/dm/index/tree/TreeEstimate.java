package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.index.RowEstimate;
import org.nelumbo.dm.pool.Channel;

/**
 * An estimate of the number of entries of an ordered index from the copy of its root, assuming that
 * all other nodes have the usual number of children and entries. A measurement corrects it: it
 * descends from the root along random paths, and the product of the counts on a path estimates the
 * number of entries.
 */
final class TreeEstimate implements RowEstimate {
  private static final int USUAL_CHILDREN = 30;
  private static final int USUAL_ENTRIES = 30;
  private static final int PATHS = 24;

  /** The estimate is outdated if the root has grown or shrunk by one part of this many. */
  private static final int CHANGED_SHARE = 4;

  private final NodeAccess access;
  private final Navigator navigator;

  /** Measured entries divided by the usual ones of the same root. */
  private volatile double correction = 1;

  /** Usual number of entries of the root at the last measurement. */
  private volatile double measuredUsual;

  TreeEstimate(NodeAccess access, Navigator navigator) {
    this.access = access;
    this.navigator = navigator;
  }

  @Override
  public long entries() {
    return Math.round(usual() * correction);
  }

  private double usual() {
    InnerNode root = navigator.root();
    if (root == null) {
      return navigator.isLeafRoot() ? USUAL_ENTRIES : 0;
    }
    return root.count() * Math.pow(USUAL_CHILDREN, root.level - 1.0) * USUAL_ENTRIES;
  }

  @Override
  public boolean isOutdated() {
    double usual = usual();
    return navigator.root() != null
        && Math.abs(usual - measuredUsual) * CHANGED_SHARE > measuredUsual;
  }

  @Override
  public void measure(Channel channel) {
    double usual = usual();
    if (navigator.root() != null) {
      double sum = 0;
      Node node = new Node();
      for (int path = 0; path < PATHS; path++) {
        sum += entries(channel, node);
      }
      correction = sum / PATHS / usual;
      measuredUsual = usual;
    }
  }

  /** Returns the product of the counts on a random path; a path that changes meanwhile ends. */
  private double entries(Channel channel, Node node) {
    double product = 1;
    long address = navigator.readRoot(channel);
    int level = Integer.MAX_VALUE;
    while (access.read(channel, address, node) == NodeAccess.OK && node.level() < level) {
      level = node.level();
      product *= node.count();
      if (level == 0 || node.count() == 0) {
        return product;
      }
      address = node.value(access.random(node.count()));
    }
    return product * USUAL_ENTRIES;
  }
}
