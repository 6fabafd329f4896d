package org.nelumbo.executor.txn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.index.tree.LatchedInsert;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.executor.table.IndexStore;

/**
 * Entries to be added to ordered indexes, dealt out to the leaves where they go, as far as is
 * known. The leaves are latched together, and so share their round trips; see {@link LatchedInsert}
 * for the steps. Reusable; not thread-safe.
 */
final class LeafShares {
  /** Leaves that are latched together. */
  private static final int LEAVES_MAX = 64;

  private final Channel channel;
  private final PoolAllocator allocator;
  private final LockAcquirer locks;
  private final IndexWriter indexWriter;
  private final List<Share> shares = new ArrayList<>();
  private int count;

  /** What goes to one leaf: numbers by which the user of this finds an entry's key and value. */
  static final class Share {
    final LatchedInsert insert = new LatchedInsert();
    IndexStore index;
    int[] items = new int[4];
    int size;

    void add(int item) {
      if (size == items.length) {
        items = Arrays.copyOf(items, size * 4);
      }
      items[size++] = item;
    }
  }

  LeafShares(Coordinator coordinator, LockAcquirer locks, IndexWriter indexWriter) {
    this.channel = coordinator.channel();
    this.allocator = coordinator.allocator();
    this.locks = locks;
    this.indexWriter = indexWriter;
  }

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  Share get(int i) {
    return shares.get(i);
  }

  /** The share of a leaf; null if there would be too many. */
  Share of(IndexStore index, long leaf) {
    OrderedIndex tree = indexWriter.changing(index);
    for (int i = 0; i < count; i++) {
      if (shares.get(i).insert.isAt(tree, leaf)) {
        return shares.get(i);
      }
    }
    if (count == LEAVES_MAX) {
      return null;
    }
    if (count == shares.size()) {
      shares.add(new Share());
    }
    Share share = shares.get(count++);
    share.insert.begin(tree, leaf);
    share.index = index;
    share.size = 0;
    return share;
  }

  /** First step: then flush. */
  void postLatches() {
    for (int i = 0; i < count; i++) {
      shares.get(i).insert.postLatch(channel, locks);
    }
  }

  /** Second step, when each share's run has its entries: then flush. */
  void postEntries() {
    for (int i = 0; i < count; i++) {
      shares.get(i).insert.postEntries(channel, allocator, locks);
    }
  }

  /**
   * Third step: flushes what leaves that are split have still to post. Then the staging buffer may
   * be released, and each share is finished, in no leaf's guard but that of the one.
   */
  void leave() {
    while (postMore()) {
      channel.flush();
    }
    for (int i = 0; i < count; i++) {
      shares.get(i).insert.leave(locks);
    }
  }

  private boolean postMore() {
    boolean more = false;
    for (int i = 0; i < count; i++) {
      more |= shares.get(i).insert.postMore(channel);
    }
    return more;
  }
}
