package org.nelumbo.dm.index.tree;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.pool.Channel;

/**
 * Removes many entries, of one index or several, in few round trips: two for each 64 leaves that
 * contain some. An entry whose leaf is latched, or would have to be waited for, or is not where the
 * copies of inner nodes indicate, is removed on its own afterwards, as by {@link
 * OrderedIndex#remove}. So no thread waits while it holds latches. An entry that the guard refuses
 * stays ({@link #isRefused}). Reusable; not thread-safe.
 */
public final class EntryRemovals {
  private static final int LEAVES_MAX = 64;

  private final LeafGuard guard;
  private final List<Share> shares = new ArrayList<>();
  private final LongList refused = new LongList();
  private int count;

  /** The entries of one leaf, according to the copies of inner nodes. */
  private static final class Share {
    private final EntryRun run = new EntryRun();
    private final Node node = new Node();
    private OrderedIndex index;
    private long leaf;
    private int offset;
    private boolean isEntered;
    private boolean isLatched;

    /** The leaf if it is known without a READ; otherwise null. */
    private byte[] image;

    private boolean emptied;

    private void postLatch(Channel channel, LeafGuard guard) {
      isEntered = guard.tryEnterChange(leaf);
      isLatched = false;
      if (!isEntered) {
        return;
      }
      image = guard.takeImage(index.access(), leaf);
      if (image == null) {
        offset = index.access().postLatchLeaf(channel, guard, leaf);
      }
    }

    /** Posts, after the latch, the changes and the release of the latch. */
    private void postRemovals(Channel channel, LeafGuard guard) {
      NodeAccess access = index.access();
      emptied = false;
      if (isEntered && image != null) {
        node.loadImage(image, leaf);
        isLatched = true;
      } else if (isEntered) {
        isLatched = access.latchedLeaf(channel, guard, offset, leaf, node) == NodeAccess.OK;
      }
      if (!isLatched) {
        return;
      }
      boolean changed = false;
      for (int i = 0; i < run.size(); i++) {
        changed |= remove(i);
      }
      if (changed) {
        access.postChangesAndRelease(channel, node);
        emptied = node.count() == 0;
      } else {
        access.postRelease(channel, node);
      }
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

    private void leave(LeafGuard guard) {
      if (isLatched) {
        index.access().keepImage(guard, node);
      }
      if (isEntered) {
        guard.exitChange(leaf);
        isEntered = false;
      }
    }

    private void finish(Channel channel, LeafGuard guard, LongList refused) {
      if (emptied) {
        index.emptyLeaves().add(leaf);
      }
      for (int i = 0; i < run.size(); i++) {
        if (run.result(i) == 0
            && index.remove(channel, run.key(i), run.length(i), run.value(i), guard)
                == IndexResult.CONFLICT) {
          refused.add(run.value(i));
        }
      }
    }
  }

  /**
   * Creates an empty set of removals.
   *
   * @param guard guard of the leaves
   */
  public EntryRemovals(LeafGuard guard) {
    this.guard = guard;
  }

  /** Starts a new set of removals, even if the previous one was not completed. */
  public void clear() {
    count = 0;
    refused.clear();
  }

  /** Returns true if the guard has refused the removal of any entry since {@link #clear}. */
  public boolean isAnyRefused() {
    return !refused.isEmpty();
  }

  /** Returns true if an entry of that CVT has stayed, since the guard has refused its removal. */
  public boolean isRefused(long cvt) {
    return refused.contains(cvt);
  }

  /**
   * Adds an entry, which is removed now or together with later ones; {@link #run} removes the last
   * ones. The key is copied.
   */
  public void add(Channel channel, OrderedIndex index, byte[] key, int length, long cvt) {
    if (length > OrderedIndex.KEY_LENGTH_MAX) {
      return;
    }
    long leaf = index.leaf(channel, key, length);
    Share share = find(index, leaf);
    if (share == null) {
      if (count == LEAVES_MAX) {
        run(channel);
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
  public void run(Channel channel) {
    if (count == 0) {
      return;
    }
    int mark = channel.mark();
    for (int i = 0; i < count; i++) {
      shares.get(i).postLatch(channel, guard);
    }
    channel.flush();
    for (int i = 0; i < count; i++) {
      shares.get(i).postRemovals(channel, guard);
    }
    channel.flush();
    channel.release(mark);
    for (int i = 0; i < count; i++) {
      shares.get(i).leave(guard);
    }
    for (int i = 0; i < count; i++) {
      shares.get(i).finish(channel, guard, refused);
    }
    count = 0;
  }
}
