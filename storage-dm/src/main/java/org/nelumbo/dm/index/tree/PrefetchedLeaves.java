package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.pool.Channel;

/**
 * Leaves prefetched for scans: the first leaves of many ranges are read together in one round trip,
 * before the scans begin. A {@link LeafCursor} that is told to {@link LeafCursor#use} them takes
 * the copy of a leaf instead of reading it.
 *
 * <p>A copy is to a scan what a leaf is that it read when the copy was read, and has not looked at
 * since. So whoever has leaves read ahead for scans with a guard enters that guard first and stays
 * in it, and says so: a scan with a guard takes no other copy. For scans of a snapshot he takes the
 * snapshot first, for scans under other locks these locks. And he calls {@link #forget} when he
 * changes the index himself, or takes such a lock.
 *
 * <p>The copies are a stack: whoever adds some takes them away again down to the {@link #size} he
 * found. Not thread-safe.
 */
public final class PrefetchedLeaves {
  private final Node[] leaves;
  private final OrderedIndex[] indexes;

  /** Whether a copy was, or is being, read in the guard of its leaf. */
  private final boolean[] guarded;

  /** Offsets in the staging buffer at which posted leaves arrive. */
  private final int[] places;

  private int size;

  /** Leaves from {@link #size} up to here are posted. */
  private int posted;

  /**
   * No leaves yet.
   *
   * @param capacity how many there may be; each takes 1.1 KiB
   */
  public PrefetchedLeaves(int capacity) {
    leaves = new Node[capacity];
    indexes = new OrderedIndex[capacity];
    guarded = new boolean[capacity];
    places = new int[capacity];
  }

  /** Number of copies. */
  public int size() {
    return size;
  }

  /**
   * Posts the READ of a leaf, unless there is a copy, or it is posted already; the caller reserves
   * staging space up to {@link #accept}.
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
    places[posted] = channel.reserve(NodeAccess.READ_BYTES);
    index.access().postRead(channel, address, places[posted]);
    posted++;
    return true;
  }

  /** Whether leaves are posted: then the caller flushes, and calls {@link #accept}. */
  public boolean isPosted() {
    return posted > size;
  }

  /** Keeps what has arrived, but for what was being written at the moment, or is no leaf. */
  public void accept(Channel channel) {
    for (int i = size; i < posted; i++) {
      Node leaf = leaves[i];
      int status = indexes[i].access().take(channel, leaf.address, places[i], leaf);
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
   * Shows a copy of a leaf; false if there is none.
   *
   * @param inGuard whether only one will do that was read in the leaf's guard
   */
  boolean copy(long address, Node into, boolean inGuard) {
    int i = find(address, size, inGuard);
    if (i >= 0) {
      into.copyFrom(leaves[i]);
    }
    return i >= 0;
  }

  /** The youngest first: they are wanted most. */
  private int find(long address, int end, boolean inGuard) {
    for (int i = end - 1; i >= 0; i--) {
      if (leaves[i].address == address && (guarded[i] || !inGuard)) {
        return i;
      }
    }
    return -1;
  }

  /** Takes away all but the first copies. */
  public void truncate(int newSize) {
    size = Math.min(size, newSize);
    posted = size;
  }

  /** An index is being changed by whoever these leaves are for: its copies are out of date. */
  public void forget(OrderedIndex index) {
    for (int i = 0; i < size; i++) {
      if (indexes[i] == index) {
        truncate(0);
        return;
      }
    }
  }
}
