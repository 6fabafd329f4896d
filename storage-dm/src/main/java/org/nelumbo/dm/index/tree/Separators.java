package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.SIZE_CLASS;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Publishes splits and posts their separators to the parents. The steps of a split, which may stop
 * after any of them:
 *
 * <ol>
 *   <li>The new right node is written, latched and unborn: no pointer leads to it, and a reader
 *       with an outdated pointer waits.
 *   <li>The left node is written with its new high fence, right sibling and entries: the split has
 *       happened, searches for the right half move right.
 *   <li>The right node is born.
 *   <li>The separator is posted to the parent, which may split in turn; if there is no parent, a
 *       new root is made. If this step is missing (for lack of memory, or after a crash), searches
 *       move right, and the next insert that does so posts the separator.
 * </ol>
 *
 * <p>{@link Split} executes these steps in two or three flushes. A separator that it leaves out is
 * posted on its own: under the parent's latch, and only if its node is in the tree with exactly
 * this low fence. A node leaves the tree, or its low fence changes, only under the latch of this
 * parent ({@link NodeRemoval}); so a late post cannot restore a node that was removed.
 */
final class Separators {
  private enum Posting {
    DONE,
    NEEDS_SPARE,
    SPLIT,
    ELSEWHERE
  }

  /** The split of the thread's current operation; operations are not nested. */
  private static final ThreadLocal<Split> OF_THREAD = ThreadLocal.withInitial(Split::new);

  private final NodeAccess access;
  private final Navigator navigator;

  Separators(NodeAccess access, Navigator navigator) {
    this.access = access;
    this.navigator = navigator;
  }

  /**
   * Publishes the halves of a latched node, {@code w.left} and {@code w.right} with their
   * separator; all steps.
   */
  void publish(Channel channel, PoolAllocator allocator, Workspace w) {
    Split split = OF_THREAD.get();
    if (!publishHalves(channel, allocator, w, split)) {
      post(channel, allocator, w, split);
    }
  }

  private boolean publishHalves(
      Channel channel, PoolAllocator allocator, Workspace w, Split split) {
    int mark = channel.mark();
    try {
      begin(channel, allocator, w, split);
      do {
        channel.flush();
      } while (split.postNext(channel));
    } finally {
      split.letGo(); // the thread may outlive the pool
    }
    channel.release(mark);
    return !split.isMissing();
  }

  /** Posts the first flush of a split, which the caller completes. */
  void begin(Channel channel, PoolAllocator allocator, Workspace w, Split split) {
    split.begin(channel, access, navigator, allocator, w);
  }

  /** Posts the separator that a split has left out. */
  void post(Channel channel, PoolAllocator allocator, Workspace w, Split split) {
    split.separatorTo(w);
    post(channel, allocator, w, split.level() + 1, split.right());
  }

  /** Posts the low fence of a node that is missing in its parent. */
  void postMissing(Channel channel, PoolAllocator allocator, Workspace w) {
    long node = w.unlisted;
    int level = w.unlistedLevel;
    w.unlisted = PoolAddress.NULL;
    if (access.read(channel, node, w.other) == NodeAccess.OK
        && w.other.level() == level
        && !w.other.isLeftmost()) {
      w.separatorOf(w.other);
      post(channel, allocator, w, level + 1, node);
    }
  }

  /**
   * Posts the separator in the workspace to the level above its node, and the separators of the
   * splits that this causes.
   */
  private void post(
      Channel channel, PoolAllocator allocator, Workspace w, int firstLevel, long firstNode) {
    Split split = OF_THREAD.get();
    int level = firstLevel;
    long child = firstNode;
    boolean missing = true;
    while (missing) {
      System.arraycopy(w.separator, 0, w.posted, 0, w.separatorLength);
      w.postedLength = w.separatorLength;
      missing = postOne(channel, allocator, w, level, child) == Posting.SPLIT;
      if (missing) {
        split.separatorTo(w);
        level = split.level() + 1;
        child = split.right();
      }
    }
    channel.flush();
    if (w.spare != PoolAddress.NULL) {
      allocator.free(w.spare, SIZE_CLASS);
      w.spare = PoolAddress.NULL;
    }
  }

  private Posting postOne(
      Channel channel, PoolAllocator allocator, Workspace w, int level, long child) {
    long parent = navigator.find(channel, level, Navigator.AT, w.posted, w.postedLength);
    boolean fresh = false;
    while (true) {
      if (parent == PoolAddress.NULL) {
        if (!growRoot(channel, allocator, w, level)) {
          return Posting.DONE;
        }
        parent = navigator.findFresh(channel, level, Navigator.AT, w.posted, w.postedLength);
        continue;
      }
      int status = access.latch(channel, parent, w.node);
      Posting result =
          status == NodeAccess.OK
              ? postLatched(channel, allocator, w, level, child)
              : Posting.ELSEWHERE;
      if (result == Posting.NEEDS_SPARE) {
        w.spare = allocator.allocate(SIZE_CLASS);
        result = w.spare == PoolAddress.NULL ? Posting.DONE : result;
      } else if (result == Posting.ELSEWHERE) {
        boolean right =
            fresh && (status == NodeAccess.DEAD || (status == NodeAccess.OK && isRight(w)));
        parent =
            right
                ? w.node.right()
                : navigator.findFresh(channel, level, Navigator.AT, w.posted, w.postedLength);
        fresh = true;
      }
      if (result == Posting.DONE || result == Posting.SPLIT) {
        return result;
      }
    }
  }

  private static boolean isRight(Workspace w) {
    return Navigator.isLeftOf(w.node, Navigator.AT, w.posted, w.postedLength);
  }

  /** {@code w.node}, the parent, is unlatched when this returns. */
  private Posting postLatched(
      Channel channel, PoolAllocator allocator, Workspace w, int level, long child) {
    Node node = w.node;
    byte[] key = w.posted;
    int length = w.postedLength;
    if (node.level() != level || !Navigator.covers(node, Navigator.AT, key, length)) {
      access.release(channel, node);
      return Posting.ELSEWHERE;
    }
    int at = node.lowerBound(key, length);
    if (node.hasKeyAt(at, key, length) || !isInTree(channel, w, level - 1, child)) {
      navigator.keep(node);
      access.release(channel, node);
      return Posting.DONE;
    }
    if (NodeInserts.add(w, node, at, key, length, child)) {
      access.writeAndRelease(channel, node);
      navigator.keep(node);
      return Posting.DONE;
    }
    if (w.spare == PoolAddress.NULL) {
      w.spare = allocator.tryAllocateLocal(SIZE_CLASS);
    }
    if (w.spare == PoolAddress.NULL) {
      access.release(channel, node);
      return Posting.NEEDS_SPARE;
    }
    // If the halves are too small for a long separator, it stays missing until an insert finds it
    // missing.
    NodeSplit.divide(w, w.spare, access.anyVersion(), at, key, length, child);
    w.spare = PoolAddress.NULL;
    return publishHalves(channel, allocator, w, OF_THREAD.get()) ? Posting.DONE : Posting.SPLIT;
  }

  private boolean isInTree(Channel channel, Workspace w, int level, long child) {
    return access.read(channel, child, w.other) == NodeAccess.OK
        && w.other.level() == level
        && w.other.lowLength() == w.postedLength
        && w.other.compareLow(w.posted, w.postedLength) == 0;
  }

  private boolean growRoot(Channel channel, PoolAllocator allocator, Workspace w, int level) {
    long old = navigator.readRoot(channel);
    if (access.read(channel, old, w.other) != NodeAccess.OK || w.other.level() >= level) {
      return true;
    }
    long address = allocator.allocate(SIZE_CLASS);
    if (address == PoolAddress.NULL) {
      return false;
    }
    Node grown = w.node;
    grown.become(w.other);
    grown.address = address;
    grown.setRight(PoolAddress.NULL);
    grown.setHeader((long) access.anyVersion() << 32);
    w.builder.allKeys().noEntries().add(0, w.scratch, 0, old).build(grown, w.other.level() + 1);
    access.writeUnborn(channel, grown);
    if (swapRoot(channel, old, address)) {
      access.postBirth(channel, grown.address, grown.header());
      navigator.noteRoot(grown);
    } else {
      allocator.free(address, SIZE_CLASS);
    }
    return true;
  }

  private boolean swapRoot(Channel channel, long old, long address) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.compareAndSwap(navigator.rootBlock(), old, address, offset);
    channel.flush();
    channel.release(mark);
    return channel.hasSwapped(offset, old);
  }
}
