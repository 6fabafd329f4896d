package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.pool.Channel;

/**
 * Leaves prefetched for scans: the first leaves of many ranges are read together in one round trip,
 * before the scans begin. A {@link LeafCursor} that {@link LeafCursor#use uses} them takes the copy
 * of a leaf instead of reading it.
 *
 * <p>For a scan, a copy has the same effect as a leaf that the scan itself read at the time of the
 * copy. Therefore:
 *
 * <ul>
 *   <li>A caller that prefetches leaves for scans with a guard enters that guard first and stays in
 *       it, and passes {@code inGuard}: a scan with a guard uses no other copy.
 *   <li>For scans of a snapshot the caller takes the snapshot first; for scans under other locks it
 *       takes these locks first.
 *   <li>A caller that changes the index itself, or takes such a lock later, calls {@link #forget}.
 * </ul>
 *
 * <p>The copies are a stack: a caller that adds some truncates them to the previous {@link #size}
 * afterwards. Not thread-safe.
 */
public final class PrefetchedLeaves {
  private final Node[] leaves;
  private final OrderedIndex[] indexes;

  /** Marks copies whose READ was posted in the guard of their leaf. */
  private final boolean[] guarded;

  /** Offsets in the staging buffer at which posted leaves arrive. */
  private final int[] stagingOffsets;

  private int size;

  /** End of the posted leaves, which begin at {@link #size}. */
  private int posted;

  /**
   * Creates an empty stack.
   *
   * @param capacity maximum number of leaves; each takes 1.1 KiB
   */
  public PrefetchedLeaves(int capacity) {
    leaves = new Node[capacity];
    indexes = new OrderedIndex[capacity];
    guarded = new boolean[capacity];
    stagingOffsets = new int[capacity];
  }

  /** Returns the number of copies. */
  public int size() {
    return size;
  }

  /**
   * Posts the READ of a leaf, unless there is a copy, or it is posted already. The caller keeps the
   * staging space reserved until {@link #accept}.
   *
   * @param inGuard whether the leaf's guard has been entered
   * @return false if there is no room for it
   */
  public boolean post(Channel channel, OrderedIndex index, long address, boolean inGuard) {
    if (find(address, posted, inGuard) >= 0) {
      return true;
    }
    if (posted == leaves.length || channel.stagingAvailable() < NodeAccess.READ_BYTES) {
      return false;
    }
    if (leaves[posted] == null) {
      leaves[posted] = new Node();
    }
    leaves[posted].address = address;
    indexes[posted] = index;
    guarded[posted] = inGuard;
    stagingOffsets[posted] = channel.reserve(NodeAccess.READ_BYTES);
    index.access().postRead(channel, address, stagingOffsets[posted]);
    posted++;
    return true;
  }

  /** Returns true if leaves are posted: then the caller flushes, and calls {@link #accept}. */
  public boolean isPosted() {
    return posted > size;
  }

  /**
   * Keeps the copies that have arrived, except those that were being written at that moment, or are
   * not leaves.
   */
  public void accept(Channel channel) {
    for (int i = size; i < posted; i++) {
      Node leaf = leaves[i];
      int status = indexes[i].access().take(channel, leaf.address, stagingOffsets[i], leaf);
      if (status == NodeAccess.OK && leaf.level() == 0) {
        leaves[i] = leaves[size];
        leaves[size] = leaf;
        guarded[size] = guarded[i];
        indexes[size++] = indexes[i];
      }
    }
    posted = size;
  }

  /**
   * Copies a leaf into {@code into}; returns false if there is no copy.
   *
   * @param inGuard whether the copy must have been read in the leaf's guard
   */
  boolean copy(long address, Node into, boolean inGuard) {
    int i = find(address, size, inGuard);
    if (i >= 0) {
      into.copyFrom(leaves[i]);
    }
    return i >= 0;
  }

  /** Searches the newest first, since they are used most. */
  private int find(long address, int end, boolean inGuard) {
    for (int i = end - 1; i >= 0; i--) {
      if (leaves[i].address == address && (guarded[i] || !inGuard)) {
        return i;
      }
    }
    return -1;
  }

  /** Removes all but the first {@code newSize} copies. */
  public void truncate(int newSize) {
    size = Math.min(size, newSize);
    posted = size;
  }

  /** Discards the copies of an index that the user of these leaves is changing. */
  public void forget(OrderedIndex index) {
    for (int i = 0; i < size; i++) {
      if (indexes[i] == index) {
        truncate(0);
        return;
      }
    }
  }
}
