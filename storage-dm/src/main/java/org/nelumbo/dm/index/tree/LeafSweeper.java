package org.nelumbo.dm.index.tree;

import java.util.BitSet;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;

/**
 * Scans a whole index that is not in use: reports its memory and removes entries that are not
 * wanted. Used once, by one thread.
 */
final class LeafSweeper {
  private final NodeAccess access;
  private final Navigator navigator;
  private final EmptyLeaves empty;
  private final TreeSweepVisitor sweep;
  private final byte[] key = new byte[TreeNodeLayout.KEY_LENGTH_MAX];
  private final long[] cvts = new long[TreeNodeLayout.COUNT_MAX];
  private final BitSet unwanted = new BitSet();
  private final Node latched = new Node();
  private int removed;

  LeafSweeper(NodeAccess access, Navigator navigator, EmptyLeaves empty, TreeSweepVisitor sweep) {
    this.access = access;
    this.navigator = navigator;
    this.empty = empty;
    this.sweep = sweep;
  }

  /** Scans the index; returns the number of entries removed. */
  int run(Channel channel) {
    sweep.memory(navigator.rootBlock(), TreeNodeLayout.ROOT_BLOCK_SIZE_CLASS);
    new TreeWalk(access, navigator, NodeAccess.NONE_DEAD)
        .run(channel, (node, dead) -> visit(channel, node));
    return removed;
  }

  private void visit(Channel channel, Node node) {
    sweep.memory(node.address, TreeNodeLayout.SIZE_CLASS);
    if (node.level() > 0) {
      return;
    }
    unwanted.clear();
    for (int i = 0; i < node.count(); i++) {
      cvts[i] = node.value(i);
    }
    sweep.beginLeaf(cvts, node.count());
    for (int i = 0; i < node.count(); i++) {
      int length = node.copyKey(i, key, 0);
      if (!sweep.keeps(key, length, node.value(i))) {
        unwanted.set(i);
      }
    }
    sweep.endLeaf();
    if (!unwanted.isEmpty()) {
      remove(channel, node.address);
    }
    if (node.count() == unwanted.cardinality()) {
      empty.add(node.address);
    }
  }

  private void remove(Channel channel, long leaf) {
    if (access.latch(channel, leaf, latched) != NodeAccess.OK) {
      throw new IllegalStateException("a leaf of an unused index cannot be latched");
    }
    for (int i = unwanted.length() - 1; i >= 0; i = unwanted.previousSetBit(i - 1)) {
      latched.remove(i);
      removed++;
    }
    latched.noteAllChanged();
    access.writeAndRelease(channel, latched);
  }
}
