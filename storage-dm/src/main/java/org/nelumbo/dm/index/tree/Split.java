package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.KEY_LENGTH_MAX;
import static org.nelumbo.dm.layout.TreeNodeLayout.SIZE_CLASS;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A split that is being published, flush by flush; several may be under way on one channel. Between
 * two flushes the thread waits for nothing, so latches are held only as long as their verbs take.
 *
 * <p><b>Flushes</b>, once the node is latched and its halves are made:
 *
 * <ol>
 *   <li>the right half, unborn; the parent is latched, if its latch is free, and read;
 *   <li>the left half, with the release of its latch;
 *   <li>the birth of the right half; the separator in the parent, with the release of its latch.
 * </ol>
 *
 * If both halves are on one memory node, where verbs take effect in posted order, the first two are
 * one. A full parent is split likewise: its right half is written with the second of these flushes,
 * so each level costs one more flush. Verbs of two levels in one flush have no order; therefore no
 * pointer to a right half is written before its left half has been written.
 *
 * <p><b>The parent.</b> It is latched while the right half is not born yet, and stays latched until
 * it lists the right half. No other thread can have listed the right half before, since that
 * requires reading it, for which it must be born. So this need not be checked again, in contrast to
 * a late post ({@link Separators}). If the parent is not available at once (latched, unknown, not
 * the correct one any more; full, and no memory available locally), the separator is {@link
 * #isMissing missing} at the end, and is posted on its own.
 *
 * <p>Uses {@link Workspace}, but keeps nothing there between calls. Reusable; not thread-safe.
 */
final class Split {
  private static final int NOT_TRIED = -1;

  private enum Phase {
    /** No split is under way. */
    IDLE,
    /**
     * The right half is written, possibly the left one as well; the latch of the parent has been
     * tried.
     */
    HALVES,
    /** Both halves are written; the birth of the right one is next. */
    LINKED,
    /** Everything is posted. */
    LAST
  }

  private enum Parent {
    NOT_LATCHED,
    WRONG,
    LISTS_IT,
    HAS_ROOM,
    FULL
  }

  private NodeAccess access;
  private Navigator navigator;
  private PoolAllocator allocator;
  private Phase phase = Phase.IDLE;

  private int level;
  private long left;
  private boolean leftOwned;
  private int leftImage;
  private long leftMark;
  private long leftHeader;
  private boolean leftPosted;
  private long right;
  private long rightHeader;

  /** The right half of the level below, whose left half was written by the last flush. */
  private long unborn;

  private long unbornHeader;

  private final byte[] separator = new byte[KEY_LENGTH_MAX];
  private int separatorLength;

  private long parent;

  /** Offset in the staging buffer at which the parent arrives. */
  private int parentCopy;

  private boolean parentLatched;

  private boolean missing;

  /** Discards the last split, whatever its state. */
  void reset() {
    phase = Phase.IDLE;
    missing = false;
  }

  /** Drops the references to the index, but keeps the missing separator. */
  void letGo() {
    access = null;
    navigator = null;
    allocator = null;
  }

  /**
   * Posts the first flush of a split with the halves {@code left} and {@code right} and the
   * separator of the workspace. The staging buffer must not be released until {@link #postNext}
   * returns false.
   */
  void begin(Channel channel, NodeAccess of, Navigator by, PoolAllocator with, Workspace w) {
    access = of;
    navigator = by;
    allocator = with;
    missing = false;
    unborn = PoolAddress.NULL;
    postHalves(channel, w, true);
  }

  /** Posts, after a flush, the next one; returns false if there is none, and the split is done. */
  boolean postNext(Channel channel) {
    switch (phase) {
      case HALVES -> postBehindHalves(channel, Workspace.get());
      case LINKED -> {
        access.postBirth(channel, right, rightHeader);
        if (parentLatched) {
          Workspace w = Workspace.get();
          enter(channel, w);
          postParent(channel, w);
        }
        phase = Phase.LAST;
      }
      default -> phase = Phase.IDLE;
    }
    return phase != Phase.IDLE;
  }

  /** Returns true if the separator was not posted: {@link #separatorTo} copies it. */
  boolean isMissing() {
    return missing;
  }

  /** Copies the missing separator into the workspace. */
  void separatorTo(Workspace w) {
    System.arraycopy(separator, 0, w.separator, 0, separatorLength);
    w.separatorLength = separatorLength;
  }

  /** Returns the node that begins with the missing separator. */
  long right() {
    return right;
  }

  /** Returns the level of that node. */
  int level() {
    return level;
  }

  /**
   * Posts the right half.
   *
   * @param linkable whether the left half's content, and the pointers to it, have been written
   */
  private void postHalves(Channel channel, Workspace w, boolean linkable) {
    level = w.left.level();
    left = w.left.address;
    leftOwned = w.left.isOwned;
    leftMark = TreeNodeLayout.writing(w.left.poolHeader);
    leftHeader = TreeNodeLayout.nextVersion(w.left.header());
    right = w.right.address;
    rightHeader = w.right.header();
    access.postUnborn(channel, w.right);
    leftImage = access.image(channel, w.left);
    leftPosted = linkable && PoolAddress.node(left) == PoolAddress.node(right);
    if (leftPosted) {
      postLeft(channel);
    }
    System.arraycopy(w.separator, 0, separator, 0, w.separatorLength);
    separatorLength = w.separatorLength;
    parent = navigator.known(level + 1, separator, separatorLength);
    parentCopy = parent == PoolAddress.NULL ? NOT_TRIED : access.postLatch(channel, parent);
    parentLatched = false;
    if (level > 0) {
      navigator.keep(w.left);
      navigator.keep(w.right);
    }
    phase = Phase.HALVES;
  }

  private void postLeft(Channel channel) {
    access.postImage(channel, left, leftOwned, leftImage, leftMark, leftHeader);
  }

  private void postBehindHalves(Channel channel, Workspace w) {
    if (unborn != PoolAddress.NULL) {
      access.postBirth(channel, unborn, unbornHeader);
      unborn = PoolAddress.NULL;
    }
    boolean linked = leftPosted;
    if (linked) {
      access.postBirth(channel, right, rightHeader);
    } else {
      postLeft(channel);
    }
    Parent found = enter(channel, w);
    if (found == Parent.FULL && divideParent(w)) {
      if (!linked) {
        unborn = right;
        unbornHeader = rightHeader;
      }
      postHalves(channel, w, linked);
      return;
    }
    parentLatched = found == Parent.HAS_ROOM;
    if (!parentLatched) {
      missing = found != Parent.LISTS_IT;
      if (found != Parent.NOT_LATCHED) {
        access.postRelease(channel, w.node);
      }
    } else if (linked) {
      postParent(channel, w);
    }
    phase = linked ? Phase.LAST : Phase.LINKED;
  }

  /** Loads the parent into {@code w.node}, and adds the separator to this copy if it has room. */
  private Parent enter(Channel channel, Workspace w) {
    Node node = w.node;
    if (parentCopy == NOT_TRIED
        || access.latched(channel, parentCopy, parent, node) != NodeAccess.OK) {
      return Parent.NOT_LATCHED;
    }
    if (node.level() != level + 1
        || !Navigator.covers(node, Navigator.AT, separator, separatorLength)) {
      return Parent.WRONG;
    }
    int at = node.lowerBound(separator, separatorLength);
    if (node.hasKeyAt(at, separator, separatorLength)) {
      return Parent.LISTS_IT;
    }
    return NodeInserts.add(w, node, at, separator, separatorLength, right)
        ? Parent.HAS_ROOM
        : Parent.FULL;
  }

  private void postParent(Channel channel, Workspace w) {
    access.postChangesAndRelease(channel, w.node);
    navigator.keep(w.node);
  }

  /**
   * Makes the halves of the full parent in {@code w.node}; returns false if no memory is available
   * locally. If the halves are too small for a long separator, it stays missing until an insert
   * finds it missing.
   */
  private boolean divideParent(Workspace w) {
    long spare = allocator.tryAllocateLocal(SIZE_CLASS);
    if (spare == PoolAddress.NULL) {
      return false;
    }
    int at = w.node.lowerBound(separator, separatorLength);
    NodeSplit.divide(w, spare, access.anyVersion(), at, separator, separatorLength, right);
    return true;
  }
}
