package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Inserts and removes entries. Usually this takes two round trips: latch the leaf and read it;
 * write the changes and release the latch. While the leaf is latched, the thread waits for verbs
 * only. If the leaf is full, the right half uses memory that is available locally, and the guard's
 * consent if it is given at once. Otherwise the latch is released and the guard is left, the thread
 * waits for both, and the leaf is latched again.
 */
final class LeafChange {
  /**
   * Internal result, not one of {@link OrderedIndex}: the leaf is full, memory for a right half is
   * needed.
   */
  private static final int NEEDS_SPARE = -1;

  private static final int ELSEWHERE = -2;

  /** The leaf was split, but its halves are too small for the key. */
  private static final int SPLIT_ONLY = -3;

  private final NodeAccess access;
  private final Navigator navigator;
  private final Separators separators;
  private final EmptyLeaves empty;

  LeafChange(NodeAccess access, Navigator navigator, Separators separators, EmptyLeaves empty) {
    this.access = access;
    this.navigator = navigator;
    this.separators = separators;
    this.empty = empty;
  }

  int insert(
      Channel channel, PoolAllocator allocator, byte[] key, int length, long cvt, LeafGuard guard) {
    return insert(channel, allocator, key, length, cvt, null, guard);
  }

  /** Inserts the next entry of a run, and those after it that fit into the same leaf. */
  int insert(Channel channel, PoolAllocator allocator, EntryRun run, LeafGuard guard) {
    int first = run.next++;
    int result =
        insert(channel, allocator, run.key(first), run.length(first), run.value(first), run, guard);
    run.setResult(first, result);
    return result;
  }

  private int insert(
      Channel channel,
      PoolAllocator allocator,
      byte[] key,
      int length,
      long cvt,
      EntryRun run,
      LeafGuard guard) {
    Workspace w = Workspace.get();
    w.beginInsert();
    long leaf = navigator.leaf(channel, Navigator.AT, key, length);
    boolean fresh = false;
    int result = ELSEWHERE;
    while (result < 0) {
      if (!guard.enterInsert(leaf)) {
        result = IndexResult.CONFLICT;
        break;
      }
      int status = access.latchLeaf(channel, guard, leaf, w.node);
      result =
          status == NodeAccess.OK
              ? insertLatched(channel, allocator, w, key, length, cvt, run, guard)
              : ELSEWHERE;
      if (status == NodeAccess.OK) {
        access.keepImage(guard, w.node);
      }
      guard.exitInsert(leaf);
      if (result == NEEDS_SPARE) {
        result = provideSpare(allocator, w, leaf, guard);
      } else if (result == ELSEWHERE) {
        boolean right = fresh && isRight(status, w.node, key, length);
        if (right && status == NodeAccess.OK) {
          w.noteUnlisted(w.node);
        }
        leaf = right ? w.node.right() : navigator.findFresh(channel, 0, Navigator.AT, key, length);
        fresh = true;
      }
    }
    finishInsert(channel, allocator, w);
    return result;
  }

  private void finishInsert(Channel channel, PoolAllocator allocator, Workspace w) {
    if (w.spare != PoolAddress.NULL) {
      allocator.free(w.spare, TreeNodeLayout.SIZE_CLASS);
      w.spare = PoolAddress.NULL;
    }
    if (w.unlisted != PoolAddress.NULL) {
      separators.postMissing(channel, allocator, w);
    }
  }

  /** Returns true if, on a fresh path, the key is right of the node that was read. */
  static boolean isRight(int status, Node node, byte[] key, int length) {
    return status == NodeAccess.DEAD
        || (status == NodeAccess.OK && Navigator.isLeftOf(node, Navigator.AT, key, length));
  }

  /**
   * Allocates memory, and obtains the guard's consent that the right half receives a part of the
   * leaf's range.
   */
  private static int provideSpare(
      PoolAllocator allocator, Workspace w, long leaf, LeafGuard guard) {
    if (w.spare == PoolAddress.NULL) {
      w.spare = allocator.allocate(TreeNodeLayout.SIZE_CLASS);
    }
    if (w.spare == PoolAddress.NULL) {
      return IndexResult.EXHAUSTED;
    }
    if (!guard.passRange(leaf, w.spare)) {
      return IndexResult.CONFLICT;
    }
    w.spareFor = leaf;
    return NEEDS_SPARE;
  }

  /**
   * Obtains memory and consent for the latched leaf, without waiting; returns true if both were
   * obtained.
   */
  static boolean hasSpare(PoolAllocator allocator, Workspace w, long leaf, LeafGuard guard) {
    if (w.spare == PoolAddress.NULL) {
      w.spare = allocator.tryAllocateLeaf(TreeNodeLayout.SIZE_CLASS);
    }
    if (w.spare != PoolAddress.NULL && w.spareFor != leaf && guard.tryPassRange(leaf, w.spare)) {
      w.spareFor = leaf;
    }
    return w.spare != PoolAddress.NULL && w.spareFor == leaf;
  }

  /**
   * Inserts into the latched leaf in {@code w.node}; it is unlatched when this returns.
   *
   * @param run run whose following entries are inserted as well; may be null
   */
  private int insertLatched(
      Channel channel,
      PoolAllocator allocator,
      Workspace w,
      byte[] key,
      int length,
      long cvt,
      EntryRun run,
      LeafGuard guard) {
    Node node = w.node;
    if (!isLeafFor(node, key, length)) {
      access.release(channel, node);
      return ELSEWHERE;
    }
    int at = node.lowerBound(key, length);
    if (node.hasKeyAt(at, key, length)) {
      if (node.value(at) == cvt || (run != null && run.keepsPresent())) {
        access.release(channel, node);
      } else {
        node.setValue(at, cvt);
        access.writeAndRelease(channel, node);
      }
      return IndexResult.PRESENT;
    }
    boolean added = NodeInserts.add(w, node, at, key, length, cvt);
    boolean full = !added || (run != null && NodeInserts.addRun(w, node, run));
    if (full && hasSpare(allocator, w, node.address, guard)) {
      if (added) {
        NodeInserts.divide(w, takeSpare(w), access.anyVersion(), run);
      } else {
        added = NodeSplit.divide(w, takeSpare(w), access.anyVersion(), at, key, length, cvt);
        if (run != null) {
          NodeInserts.fill(w, run);
        }
      }
      node.isOwned = false; // the pool gets the halves instead
      separators.publish(channel, allocator, w);
      return added ? IndexResult.INSERTED : SPLIT_ONLY;
    }
    if (!added) {
      access.release(channel, node);
      return NEEDS_SPARE;
    }
    access.writeAndRelease(channel, node);
    return IndexResult.INSERTED;
  }

  /** Returns true if a key belongs into this node; an outdated path may lead to any node. */
  static boolean isLeafFor(Node node, byte[] key, int length) {
    return node.level() == 0 && Navigator.covers(node, Navigator.AT, key, length);
  }

  static long takeSpare(Workspace w) {
    long spare = w.spare;
    w.spare = PoolAddress.NULL;
    w.spareFor = PoolAddress.NULL;
    return spare;
  }

  int remove(Channel channel, byte[] key, int length, long cvt, LeafGuard guard) {
    Node node = Workspace.get().node;
    long leaf = navigator.leaf(channel, Navigator.AT, key, length);
    boolean fresh = false;
    while (guard.enterChange(leaf)) {
      int status = access.latchLeaf(channel, guard, leaf, node);
      boolean found = status == NodeAccess.OK && isLeafFor(node, key, length);
      int result = ELSEWHERE;
      if (found) {
        result = removeLatched(channel, node, key, length, cvt);
      } else if (status == NodeAccess.OK) {
        access.release(channel, node);
      }
      if (status == NodeAccess.OK) {
        access.keepImage(guard, node);
      }
      guard.exitChange(leaf);
      if (found) {
        return result;
      }
      boolean right = fresh && isRight(status, node, key, length);
      leaf = right ? node.right() : navigator.findFresh(channel, 0, Navigator.AT, key, length);
      fresh = true;
    }
    return IndexResult.CONFLICT;
  }

  private int removeLatched(Channel channel, Node node, byte[] key, int length, long cvt) {
    int at = node.lowerBound(key, length);
    if (!node.hasKeyAt(at, key, length) || node.value(at) != cvt) {
      access.release(channel, node);
      return IndexResult.ABSENT;
    }
    node.remove(at);
    access.writeAndRelease(channel, node);
    if (node.count() == 0) {
      empty.add(node.address);
    }
    return IndexResult.REMOVED;
  }
}
