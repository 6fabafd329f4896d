package org.nelumbo.dm.index.tree;

import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Removes empty leaves from the tree, so that a table that is used as a queue does not leave a
 * trail of them. The right sibling receives the range: at the head of a queue the first entry is
 * then in the leaf that a search for it finds. An inner node with a single remaining child is
 * removed in the same way, and its child moves to the sibling.
 *
 * <p><b>Latches.</b> The left neighbour M of the node X, X, its right sibling R, and the parent P,
 * which must list X and R next to each other. A latch that is held is not waited for, so there is
 * no deadlock; if one is not available, nothing has changed, and the removal is tried again later.
 * Where the guard excludes other changes of leaves, M, X and R are guarded before that. All latches
 * are in the pool before the first step, since {@link TreeRepair} detects the removal by them. The
 * steps, each flushed:
 *
 * <ol>
 *   <li>R receives X's low fence (and child). Now both cover X's range; as both are latched, no
 *       entry is added there.
 *   <li>X is marked dead: searches that reach it continue at R.
 *   <li>P: X's entry points to R, R's own entry is removed. M: its right sibling is R. The latches
 *       are released.
 * </ol>
 *
 * <p>If the removal stops after any of them, P and M stay latched, so R cannot be removed while a
 * pointer still leads to it by way of X; {@link TreeRepair} completes the rest.
 *
 * <p><b>Phantoms.</b> A scanner that holds the scan lock of X relies on inserts into X's range
 * entering the guard of X. The guard grants {@code enterInsert(X)} only if there is no such
 * scanner, and excludes new ones until X is dead. A scanner that gets the lock after that reads X
 * again, finds it dead, and continues at R. Scanners of R are not affected: inserts into R's old
 * range, and into X's, enter the guard of R.
 *
 * <p><b>Memory.</b> X is retired when no node points to it any more. Copies of P on other compute
 * nodes may still do so: see {@link TreeNodeLayout}, latch word.
 */
final class NodeRemoval {
  private enum Outcome {
    DONE,
    /** A latch was not available. */
    BUSY,
    /** The node is the only child of its parent, which may be removed first. */
    ONLY_CHILD,
    /**
     * The node is not empty, is the last one of its parent or of the tree, or was already removed.
     */
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

  /**
   * Processes up to {@code limit} leaves that were found empty; returns the number of removed ones.
   */
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
        guard.passRange(leaf, right)
            ? remove(channel, allocator, guard, w, 0, leaf, right)
            : Outcome.BUSY;
    guard.exitInsert(leaf);
    if (outcome == Outcome.BUSY) {
      empty.add(leaf);
    }
    return outcome == Outcome.DONE;
  }

  private static boolean isEmpty(Node node, int level) {
    return node.level() == level && !node.isRightmost() && node.count() == Math.min(level, 1);
  }

  /** Removes a node, and before or after it its parent if that has no other child. */
  private Outcome remove(
      Channel channel,
      PoolAllocator allocator,
      LeafGuard guard,
      Workspace w,
      int level,
      long address,
      long right) {
    Outcome outcome = absorb(channel, allocator, guard, w, level, address, right);
    if (outcome == Outcome.ONLY_CHILD) {
      outcome = remove(channel, allocator, guard, w, level + 1, w.parent.address, w.parent.right());
      if (outcome == Outcome.DONE) {
        outcome = absorb(channel, allocator, guard, w, level, address, right);
      }
    }
    if (outcome == Outcome.DONE) {
      if (level == 0 && isEmpty(w.left, 0)) {
        empty.add(right);
      }
      if (isEmpty(w.parent, level + 1)) {
        remove(channel, allocator, guard, w, level + 1, w.parent.address, w.parent.right());
      }
    }
    return outcome;
  }

  /** The node's range moves to the right sibling. */
  private Outcome absorb(
      Channel channel,
      PoolAllocator allocator,
      LeafGuard guard,
      Workspace w,
      int level,
      long address,
      long right) {
    if (access.read(channel, address, w.node) != NodeAccess.OK || !isEmpty(w.node, level)) {
      return Outcome.NOT_NOW;
    }
    if (w.node.right() != right) {
      return Outcome.BUSY;
    }
    int length = w.node.copyLow(w.scratch);
    long parent = navigator.findFresh(channel, level + 1, Navigator.AT, w.scratch, length);
    if (parent == PoolAddress.NULL) {
      return Outcome.NOT_NOW;
    }
    long left = length == 0 ? PoolAddress.NULL : findLeft(channel, w, level, length);
    if (level > 0) {
      return absorbGuarded(
          channel, allocator, LeafGuard.NONE, w, level, length, left, address, parent);
    }
    if (left != PoolAddress.NULL && !guard.tryEnterChange(left)) {
      return Outcome.BUSY;
    }
    Outcome outcome = Outcome.BUSY;
    if (guard.tryEnterChange(right)) {
      outcome = absorbGuarded(channel, allocator, guard, w, level, length, left, address, parent);
      guard.exitChange(right);
    }
    if (left != PoolAddress.NULL) {
      guard.exitChange(left);
    }
    return outcome;
  }

  /** Nodes of level 0 are guarded. */
  private Outcome absorbGuarded(
      Channel channel,
      PoolAllocator allocator,
      LeafGuard guard,
      Workspace w,
      int level,
      int length,
      long left,
      long address,
      long parent) {
    long right = w.node.right();
    if (!latchAll(channel, guard, w, left, address, right, parent)) {
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

  private boolean latchAll(
      Channel channel,
      LeafGuard guard,
      Workspace w,
      long left,
      long address,
      long right,
      long parent) {
    boolean hasLeft = left != PoolAddress.NULL;
    if (hasLeft && !tryLatch(channel, guard, left, w.other)) {
      return false;
    }
    int latched = 0;
    if (tryLatch(channel, guard, address, w.node)) {
      latched = 1;
      if (tryLatch(channel, guard, right, w.right)) {
        latched = 2;
        if (tryLatch(channel, LeafGuard.NONE, parent, w.parent)) {
          return true;
        }
      }
    }
    releaseAll(channel, w, hasLeft, latched);
    return false;
  }

  private boolean tryLatch(Channel channel, LeafGuard guard, long address, Node into) {
    return access.tryLatchLeaf(channel, guard, address, into) == NodeAccess.OK;
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
   * Checks that the latched nodes are still in the expected state; if so, {@code w.left} becomes
   * the new right sibling.
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
    if (w.node.isOwned) {
      access.postLatchOfOwned(channel, w.node);
      access.postLatchOfOwned(channel, w.left);
      if (hasLeft) {
        access.postLatchOfOwned(channel, w.other);
      }
      channel.flush();
    }
    w.left.setLast(w.left.level() == 0 ? w.right.last() : TreeNodeLayout.NO_LAST);
    access.postChanges(channel, w.left);
    channel.flush();
    access.postDeath(channel, w.node);
    channel.flush();
    int at = w.parent.lowerBound(w.scratch, lowLength);
    w.parent.remove(at + 1);
    w.parent.setValue(at, w.right.address);
    access.postChangesAndRelease(channel, w.parent);
    if (hasLeft) {
      w.other.setRight(w.right.address);
      w.other.noteRightChanged();
      access.postChangesAndRelease(channel, w.other);
    }
    access.postRelease(channel, w.left);
    channel.flush();
    channel.release(mark);
  }
}
