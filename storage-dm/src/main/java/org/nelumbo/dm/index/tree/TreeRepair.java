package org.nelumbo.dm.index.tree;

import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LatchOwner;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Repairs an index after its owner has failed: releases latches and completes the changes that the
 * owner had begun. The latched nodes show which ones:
 *
 * <ul>
 *   <li>An entry, a split of a left node, a new root: the node is as before or as after. Only the
 *       latch must be released; a missing separator is posted by the next insert.
 *   <li>A right half that was linked but not born, whether its parent lists it or not: the same.
 *   <li>A parent that was to receive a separator: it has not changed, the same.
 *   <li>A removal ({@link NodeRemoval}). A node whose right sibling begins where it begins was left
 *       after step 1, so it is marked dead. For a latched parent that lists a dead child, and a
 *       latched left neighbour whose right sibling is dead, step 3 is executed.
 * </ul>
 *
 * <p>Each write leaves the latch with the failed owner until the node is repaired, so an
 * interrupted repair can be repeated. A node that was not linked yet, or is not referenced any
 * more, is not found: the memory of at most two nodes, for each split or removal under way, is
 * lost.
 */
final class TreeRepair {
  private final NodeAccess access;
  private final Navigator navigator;
  private final ToLongFunction<Channel> clock;
  private final LongList latched = new LongList();
  private final LongList dead = new LongList();
  private final Node node = new Node();
  private final Node other = new Node();
  private int owner;
  private IntPredicate isDead;

  TreeRepair(NodeAccess access, Navigator navigator, ToLongFunction<Channel> clock) {
    this.access = access;
    this.navigator = navigator;
    this.clock = clock;
  }

  /**
   * Repairs the index; returns the number of nodes that were latched.
   *
   * @param areDeadToo returns true for other owners that have failed, whose nodes are not repaired
   *     meanwhile
   */
  int repair(Channel channel, PoolAllocator allocator, int deadOwner, IntPredicate areDeadToo) {
    owner = deadOwner;
    isDead = each -> isOwner(each) || areDeadToo.test(each);
    new TreeWalk(access, navigator, isDead).run(channel, this::note);
    long[] nodes = latched.sorted();
    for (long address : nodes) {
      completeDeath(channel, address);
    }
    for (long address : nodes) {
      putInOrder(channel, address);
    }
    for (long address : dead.sorted()) {
      allocator.retire(address, TreeNodeLayout.SIZE_CLASS, clock.applyAsLong(channel));
    }
    return nodes.length;
  }

  private boolean isOwner(int each) {
    return LatchOwner.isDead(each, owner);
  }

  private void note(Node visited, boolean isRemoved) {
    if (!isRemoved && NodeAccess.isDead(TreeNodeLayout.owner(visited.latch()), this::isOwner)) {
      latched.add(visited.address);
    }
  }

  private boolean read(Channel channel, long address, Node into) {
    int status;
    do {
      status = access.readForRepair(channel, address, into, isDead);
    } while (status == NodeAccess.BUSY);
    return status == NodeAccess.DEAD;
  }

  private void completeDeath(Channel channel, long address) {
    if (read(channel, address, node) || node.right() == PoolAddress.NULL) {
      return;
    }
    boolean rightIsDead = read(channel, node.right(), other);
    if (!rightIsDead && other.lowLength() == node.lowLength() && startsLike(other, node)) {
      access.postDeath(channel, node);
      channel.flush();
    }
  }

  private static boolean startsLike(Node a, Node b) {
    byte[] low = new byte[TreeNodeLayout.KEY_LENGTH_MAX];
    return a.compareLow(low, b.copyLow(low)) == 0;
  }

  private void putInOrder(Channel channel, long address) {
    if (read(channel, address, node)) {
      return;
    }
    if (node.level() > 0) {
      replaceDeadChildren(channel);
    }
    if (node.right() != PoolAddress.NULL && read(channel, node.right(), other)) {
      dead.add(other.address);
      node.setRight(other.right());
      node.noteAllChanged();
    }
    access.writeAndRelease(channel, node);
    if (node.level() > 0) {
      navigator.keep(node);
    }
  }

  private void replaceDeadChildren(Channel channel) {
    for (int i = 0; i < node.count(); i++) {
      if (read(channel, node.value(i), other)) {
        dead.add(other.address);
        long right = other.right();
        if (i + 1 < node.count() && node.value(i + 1) == right) {
          node.remove(i + 1);
        }
        node.setValue(i, right);
      }
    }
  }
}
