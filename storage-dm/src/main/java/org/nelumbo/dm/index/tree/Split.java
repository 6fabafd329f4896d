package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.KEY_LENGTH_MAX;
import static org.nelumbo.dm.layout.TreeNodeLayout.SIZE_CLASS;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A split that is being published, flush by flush; several may be, on one channel. Between two
 * flushes nothing is waited for, so latches are held for as long as their verbs take.
 *
 * <p><b>Flushes</b>, when the node is latched and its halves are made:
 *
 * <ol>
 *   <li>the right half, unborn; the parent is latched, if it is free, and read
 *   <li>the left half, its latch free again
 *   <li>the right half is born; the parent lists it, and its latch is free again
 * </ol>
 *
 * If both halves are on one memory node, where verbs take effect in posted order, the first two are
 * one. If the parent is full it is split likewise: its right half sets out with the second flush of
 * these, so each level costs one flush more. What belongs to two levels of one flush is in no
 * order; so nothing that leads to a right half is written before the left half of it has been.
 *
 * <p><b>The parent.</b> It is latched while the right half is unborn or (then) before it is born,
 * until it lists that. Nobody else can have listed the right half before: that takes reading it,
 * for which it has to be born. So it need not be looked at again, as a late poster has to ({@link
 * Separators}). If the parent is not to be had at once (latched, not known, not the right one any
 * more; full, and no memory at hand), the separator is {@link #isMissing missing} in the end, and
 * is posted on its own.
 *
 * <p>Works on {@link Workspace}, but keeps nothing there from one call to the next. Reusable; not
 * thread-safe.
 */
final class Split {
  private static final int NOT_TRIED = -1;

  private enum Phase {
    /** No split is under way. */
    IDLE,
    /** The right half is written, the left one perhaps; the latch of the parent has been tried. */
    HALVES,
    /** Both halves are written, the right one is to be born. */
    LINKED,
    /** All is posted. */
    LAST
  }

  /** State of the parent after its latch has been tried. */
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

  /** The parent is latched, and gets the separator. */
  private boolean parentLatched;

  private boolean missing;

  /** Forgets the last split, whatever became of it. */
  void reset() {
    phase = Phase.IDLE;
    missing = false;
  }

  /** Keeps nothing of the index, but what was left out. */
  void letGo() {
    access = null;
    navigator = null;
    allocator = null;
  }

  /**
   * Posts the first flush of a split whose halves are {@code left} and {@code right} of the
   * workspace, and the separator there. From now until {@link #postNext} says that all is done the
   * staging buffer is not released.
   */
  void begin(Channel channel, NodeAccess of, Navigator by, PoolAllocator with, Workspace w) {
    access = of;
    navigator = by;
    allocator = with;
    missing = false;
    unborn = PoolAddress.NULL;
    postHalves(channel, w, true);
  }

  /** After a flush: posts the next one; false if there is none, and all is done. */
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

  /** The separator was not posted: {@link #separatorTo} says what it is. */
  boolean isMissing() {
    return missing;
  }

  /** Copies the missing separator into the workspace. */
  void separatorTo(Workspace w) {
    System.arraycopy(separator, 0, w.separator, 0, separatorLength);
    w.separatorLength = separatorLength;
  }

  /** The node that begins with the missing separator. */
  long right() {
    return right;
  }

  /** The level of that node. */
  int level() {
    return level;
  }

  /**
   * Posts the right half.
   *
   * @param linkable whether what leads to the left half, and is in it, has been written
   */
  private void postHalves(Channel channel, Workspace w, boolean linkable) {
    level = w.left.level();
    left = w.left.address;
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
    access.postImage(channel, left, leftImage, leftMark, leftHeader);
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

  /** Takes the parent into {@code w.node}, and adds the separator to this copy if it has room. */
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
    access.postChanges(channel, w.node);
    access.postRelease(channel, w.node);
    navigator.keep(w.node);
  }

  /**
   * Makes the halves of the full parent in {@code w.node}; false if there is no memory at hand.
   * Where they are too small for a long separator, it stays out until the next insert misses it.
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
