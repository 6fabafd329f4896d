package org.nelumbo.dm.index.tree;

import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Takes empty leaves out of the tree, so that a table that is used as a queue does not leave a
 * trail of them. The right sibling gets the range: at the head of a queue the first entry is then
 * in the leaf that a search for it finds. An inner node that has a single child left goes the same
 * way, with its child.
 *
 * <p><b>Latches.</b> The left neighbour M of the node X, X, its right sibling R, the parent P,
 * which must list X and R next to each other. They are only tried, so there is no deadlock, and
 * nothing has changed if one cannot be had: it is tried again later. The steps, each flushed:
 *
 * <ol>
 *   <li>R gets X's low fence (and child). Both cover X's range now; as both are latched, nothing is
 *       added there
 *   <li>X is dead: whoever comes to it goes right
 *   <li>P: X's entry leads to R, R's own entry is gone. M: its right sibling is R. Latches are
 *       freed
 * </ol>
 *
 * <p>Stopped after any of them, P and M stay latched, so R cannot be removed while anything still
 * leads to it by way of X; {@link TreeRepair} completes the rest.
 *
 * <p><b>Phantoms.</b> A scanner that holds the scan lock of X relies on inserts into X's range
 * asking for X. The guard grants {@code enterInsert(X)} only if there is no such scanner, and keeps
 * new ones out until X is dead; a scanner that gets the lock after that reads X again, sees that it
 * is dead, and goes on to R. Scanners of R are not harmed: inserts into R's old range, and into
 * X's, ask for R.
 *
 * <p><b>Memory.</b> X is retired when no node leads to it any more. Copies of P on other compute
 * nodes may still: see {@link TreeNodeLayout}, latch word.
 */
final class NodeRemoval {
  private enum Outcome {
    DONE,
    /** A latch was not to be had. */
    BUSY,
    /** The node is the only child of its parent, which may go first. */
    ONLY_CHILD,
    /** Not empty, the last one of its parent or of the tree, or gone already. */
    NOT_NOW
  }

  private final NodeAccess access;
  private final Navigator navigator;
  private final EmptyLeaves empty;
  private final ToLongFunction<Channel> clock;

  NodeRemoval(
      NodeAccess access, Navigator navigator, EmptyLeaves empty, ToLongFunction<Channel> clock) {
    this.access = access;
    this.navigator = navigator;
    this.empty = empty;
    this.clock = clock;
  }

  /** Deals with up to {@code limit} leaves that were seen empty; returns how many were removed. */
  int run(Channel channel, PoolAllocator allocator, LeafGuard guard, int limit) {
    int removed = 0;
    for (int i = 0; i < limit && !empty.isEmpty(); i++) {
      long leaf = empty.take();
      if (leaf != PoolAddress.NULL && removeLeaf(channel, allocator, guard, leaf)) {
        removed++;
      }
    }
    return removed;
  }

  private boolean removeLeaf(Channel channel, PoolAllocator allocator, LeafGuard guard, long leaf) {
    Workspace w = Workspace.get();
    if (access.read(channel, leaf, w.node) != NodeAccess.OK || !isEmpty(w.node, 0)) {
      return false;
    }
    long right = w.node.right();
    if (!guard.enterInsert(leaf)) {
      empty.add(leaf);
      return false;
    }
    Outcome outcome =
        guard.passRange(leaf, right) ? remove(channel, allocator, w, 0, leaf, right) : Outcome.BUSY;
    guard.exitInsert(leaf);
    if (outcome == Outcome.BUSY) {
      empty.add(leaf);
    }
    return outcome == Outcome.DONE;
  }

  private static boolean isEmpty(Node node, int level) {
    return node.level() == level && !node.isRightmost() && node.count() == Math.min(level, 1);
  }

  /** Removes a node, before or after it its parent if that has no other child. */
  private Outcome remove(
      Channel channel, PoolAllocator allocator, Workspace w, int level, long address, long right) {
    Outcome outcome = absorb(channel, allocator, w, level, address, right);
    if (outcome == Outcome.ONLY_CHILD) {
      outcome = remove(channel, allocator, w, level + 1, w.parent.address, w.parent.right());
      if (outcome == Outcome.DONE) {
        outcome = absorb(channel, allocator, w, level, address, right);
      }
    }
    if (outcome == Outcome.DONE) {
      if (level == 0 && isEmpty(w.left, 0)) {
        empty.add(right);
      }
      if (isEmpty(w.parent, level + 1)) {
        remove(channel, allocator, w, level + 1, w.parent.address, w.parent.right());
      }
    }
    return outcome;
  }

  /** One node, its range going to the right sibling. */
  private Outcome absorb(
      Channel channel, PoolAllocator allocator, Workspace w, int level, long address, long right) {
    if (access.read(channel, address, w.node) != NodeAccess.OK || !isEmpty(w.node, level)) {
      return Outcome.NOT_NOW;
    }
    int length = w.node.copyLow(w.scratch);
    long parent = navigator.findFresh(channel, level + 1, Navigator.AT, w.scratch, length);
    if (parent == PoolAddress.NULL) {
      return Outcome.NOT_NOW;
    }
    long left = length == 0 ? PoolAddress.NULL : findLeft(channel, w, level, length);
    if (!latchAll(channel, w, left, address, right, parent)) {
      return Outcome.BUSY;
    }
    Outcome outcome = judge(w, level, left != PoolAddress.NULL, length);
    if (outcome != Outcome.DONE) {
      releaseAll(channel, w, left != PoolAddress.NULL, 3);
      return outcome;
    }
    apply(channel, w, left != PoolAddress.NULL, length);
    if (level > 0) {
      navigator.forget(address);
      navigator.keep(w.left);
    }
    navigator.keep(w.parent);
    allocator.retire(address, TreeNodeLayout.SIZE_CLASS, clock.applyAsLong(channel));
    return Outcome.DONE;
  }

  private long findLeft(Channel channel, Workspace w, int level, int length) {
    long left = navigator.findFresh(channel, level, Navigator.BELOW, w.scratch, length);
    while (access.read(channel, left, w.other) == NodeAccess.OK
        && Navigator.isLeftOf(w.other, Navigator.BELOW, w.scratch, length)) {
      left = w.other.right();
    }
    return left;
  }

  /** All or none. */
  private boolean latchAll(
      Channel channel, Workspace w, long left, long address, long right, long parent) {
    boolean hasLeft = left != PoolAddress.NULL;
    if (hasLeft && !tryLatch(channel, left, w.other)) {
      return false;
    }
    int latched = 0;
    if (tryLatch(channel, address, w.node)) {
      latched = 1;
      if (tryLatch(channel, right, w.right)) {
        latched = 2;
        if (tryLatch(channel, parent, w.parent)) {
          return true;
        }
      }
    }
    releaseAll(channel, w, hasLeft, latched);
    return false;
  }

  private boolean tryLatch(Channel channel, long address, Node into) {
    return access.tryLatch(channel, address, into) == NodeAccess.OK;
  }

  private void releaseAll(Channel channel, Workspace w, boolean hasLeft, int latched) {
    if (latched > 2) {
      access.postRelease(channel, w.parent);
    }
    if (latched > 1) {
      access.postRelease(channel, w.right);
    }
    if (latched > 0) {
      access.postRelease(channel, w.node);
    }
    if (hasLeft) {
      access.postRelease(channel, w.other);
    }
    channel.flush();
  }

  /**
   * Whether the latched nodes are still what they were taken for; if so, {@code w.left} is what
   * becomes of the right sibling.
   */
  private Outcome judge(Workspace w, int level, boolean hasLeft, int lowLength) {
    Node node = w.node;
    Node right = w.right;
    Node parent = w.parent;
    if (node.right() != right.address) {
      return Outcome.BUSY;
    }
    if (!isEmpty(node, level)
        || node.lowLength() != lowLength
        || node.compareLow(w.scratch, lowLength) != 0
        || (hasLeft && (w.other.right() != node.address || !node.follows(w.other)))
        || !right.follows(node)
        || parent.level() != level + 1) {
      return Outcome.NOT_NOW;
    }
    int at = parent.lowerBound(w.scratch, lowLength);
    if (!parent.hasKeyAt(at, w.scratch, lowLength) || parent.value(at) != node.address) {
      return Outcome.NOT_NOW;
    }
    if (at + 1 == parent.count() || parent.value(at + 1) != right.address) {
      return isEmpty(parent, level + 1) ? Outcome.ONLY_CHILD : Outcome.NOT_NOW;
    }
    w.left.become(right);
    NodeBuilder builder = w.builder.lowOf(node).highOf(right).entries(right, 0, right.count());
    if (level > 0) {
      builder.add(0, w.scratch, lowLength, node.value(0));
    }
    return builder.build(w.left, level) ? Outcome.DONE : Outcome.NOT_NOW;
  }

  private void apply(Channel channel, Workspace w, boolean hasLeft, int lowLength) {
    int mark = channel.mark();
    w.left.setLast(w.left.level() == 0 ? w.right.last() : TreeNodeLayout.NO_LAST);
    access.postChanges(channel, w.left);
    channel.flush();
    access.postDeath(channel, w.node);
    channel.flush();
    int at = w.parent.lowerBound(w.scratch, lowLength);
    w.parent.remove(at + 1);
    w.parent.setValue(at, w.right.address);
    access.postChanges(channel, w.parent);
    access.postRelease(channel, w.parent);
    if (hasLeft) {
      w.other.setRight(w.right.address);
      w.other.noteRightChanged();
      access.postChanges(channel, w.other);
      access.postRelease(channel, w.other);
    }
    access.postRelease(channel, w.left);
    channel.flush();
    channel.release(mark);
  }
}
