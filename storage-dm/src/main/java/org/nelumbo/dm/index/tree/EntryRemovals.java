package org.nelumbo.dm.index.tree;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.pool.Channel;

/**
 * Removes many entries, of one index or several, in few round trips: two for each 64 leaves that
 * contain some. An entry whose leaf is latched, or is not where the copies of inner nodes indicate,
 * is removed on its own afterwards, as by {@link OrderedIndex#remove}. So no thread waits while it
 * holds latches. Reusable; not thread-safe.
 */
public final class EntryRemovals {
  private static final int LEAVES_MAX = 64;

  private final List<Share> shares = new ArrayList<>();
  private int count;

  /** The entries of one leaf, according to the copies of inner nodes. */
  private static final class Share {
    private final EntryRun run = new EntryRun();
    private final Node node = new Node();
    private OrderedIndex index;
    private long leaf;
    private int offset;
    private boolean emptied;

    /** Posts, after the latch, the changes and the release of the latch. */
    private void postRemovals(Channel channel) {
      NodeAccess access = index.access();
      emptied = false;
      if (access.latched(channel, offset, leaf, node) != NodeAccess.OK) {
        return;
      }
      boolean changed = false;
      for (int i = 0; i < run.size(); i++) {
        changed |= remove(i);
      }
      if (changed) {
        access.postChanges(channel, node);
        emptied = node.count() == 0;
      }
      access.postRelease(channel, node);
    }

    private boolean remove(int i) {
      byte[] key = run.key(i);
      int length = run.length(i);
      if (!LeafChange.isLeafFor(node, key, length)) {
        return false;
      }
      int at = node.lowerBound(key, length);
      boolean there = node.hasKeyAt(at, key, length) && node.value(at) == run.value(i);
      if (there) {
        node.remove(at);
      }
      run.setResult(i, there ? IndexResult.REMOVED : IndexResult.ABSENT);
      return there;
    }

    private void finish(Channel channel, PoolAllocator allocator) {
      if (emptied) {
        index.emptyLeaves().add(leaf);
      }
      for (int i = 0; i < run.size(); i++) {
        if (run.result(i) == 0) {
          index.remove(channel, allocator, run.key(i), run.length(i), run.value(i));
        }
      }
    }
  }

  /** Discards the added entries; for a caller that restarts after an exception. */
  public void clear() {
    count = 0;
  }

  /**
   * Adds an entry, which is removed now or together with later ones; {@link #run} removes the last
   * ones. The key is copied.
   */
  public void add(
      Channel channel,
      PoolAllocator allocator,
      OrderedIndex index,
      byte[] key,
      int length,
      long cvt) {
    if (length > OrderedIndex.KEY_LENGTH_MAX) {
      return;
    }
    long leaf = index.leaf(channel, key, length);
    Share share = find(index, leaf);
    if (share == null) {
      if (count == LEAVES_MAX) {
        run(channel, allocator);
      }
      share = begin(index, leaf);
    }
    share.run.add(key, length, cvt);
  }

  private Share find(OrderedIndex index, long leaf) {
    for (int i = 0; i < count; i++) {
      Share share = shares.get(i);
      if (share.index == index && share.leaf == leaf) {
        return share;
      }
    }
    return null;
  }

  private Share begin(OrderedIndex index, long leaf) {
    if (count == shares.size()) {
      shares.add(new Share());
    }
    Share share = shares.get(count++);
    share.index = index;
    share.leaf = leaf;
    share.run.clear();
    return share;
  }

  /** Removes all entries that were added and are not removed yet. */
  public void run(Channel channel, PoolAllocator allocator) {
    if (count == 0) {
      return;
    }
    int mark = channel.mark();
    for (int i = 0; i < count; i++) {
      Share share = shares.get(i);
      share.offset = share.index.access().postLatch(channel, share.leaf);
    }
    channel.flush();
    for (int i = 0; i < count; i++) {
      shares.get(i).postRemovals(channel);
    }
    channel.flush();
    channel.release(mark);
    for (int i = 0; i < count; i++) {
      shares.get(i).finish(channel, allocator);
    }
    count = 0;
  }
}
