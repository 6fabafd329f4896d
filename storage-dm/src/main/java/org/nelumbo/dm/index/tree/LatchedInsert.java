package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Inserts entries into a leaf such that its two round trips are shared with other verbs, for
 * example with inserts into other leaves and indexes; the round trips of a split of the leaf are
 * shared in the same way:
 *
 * <ol>
 *   <li>{@link #begin}, {@link #postLatch}; flush;
 *   <li>add the entries to {@link #run}, {@link #postEntries}; flush;
 *   <li>repeat {@link #postMore} of all inserts under way, each time with a flush, until none of
 *       them posts anything;
 *   <li>if several inserts are under way: {@link #leave} all of them, before the first one is
 *       finished;
 *   <li>{@link #finish}.
 * </ol>
 *
 * <p>This fast path ends if a guard or a latch would have to be waited for, if the inner nodes on
 * the way to the leaf were out of date, or if the leaf is full and no memory is available locally.
 * Then the second step posts at most the release of the latch, and the last one inserts the entries
 * as {@link OrderedIndex#insertAll} does. So no thread waits while it holds latches, or several
 * guards, and any number of inserts may be under way on a channel. The caller releases the staging
 * buffer when nothing more is to be posted. Reusable; not thread-safe.
 */
public final class LatchedInsert {
  /** Staging bytes of a split; with less, a leaf is not split in this way. */
  private static final int SPLIT_BYTES = 16 << 10;

  private final EntryRun run = new EntryRun();
  private final Split split = new Split();
  private OrderedIndex index;

  private boolean entered;

  private long leaf;
  private int offset;

  /** The leaf as it is in the pool after the last flush; null if unknown. */
  private byte[] image;

  /** The leaf as it was latched, for {@link #contains}; null if that was never called. */
  private Node copy;

  private boolean isCopied;
  private boolean isUsable;

  /**
   * Begins a new insert.
   *
   * @param at leaf for the entries, see {@link OrderedIndex#leaf}
   */
  public void begin(OrderedIndex into, long at) {
    index = into;
    leaf = at;
    entered = false;
    image = null;
    isCopied = false;
    run.clear();
    split.reset();
  }

  /** Returns true if this inserts into the given leaf. */
  public boolean isAt(OrderedIndex into, long at) {
    return index == into && leaf == at;
  }

  /** Posts the latch and the READ of the leaf. */
  public void postLatch(Channel channel, LeafGuard guard) {
    entered = guard.tryEnterInsert(leaf);
    if (entered) {
      image = guard.takeImage(index.access(), leaf);
      if (image == null) {
        offset = index.access().postLatchLeaf(channel, guard, leaf);
      }
    }
  }

  /** Returns the entries; after {@link #finish} with their results. */
  public EntryRun run() {
    return run;
  }

  /**
   * Returns true, after the flush, if the latched leaf has an entry with this key. False may also
   * mean that the leaf could not be latched, or was not the leaf of the key.
   */
  public boolean contains(Channel channel, LeafGuard guard, byte[] key, int length) {
    if (!entered) {
      return false;
    }
    if (!isCopied) {
      copy = copy == null ? new Node() : copy;
      isCopied = true;
      isUsable = isLatched(channel, guard, copy) && copy.level() == 0;
    }
    return isUsable && copy.hasKeyAt(copy.lowerBound(key, length), key, length);
  }

  private boolean isLatched(Channel channel, LeafGuard guard, Node into) {
    if (image != null) {
      into.loadImage(image, leaf);
      return true;
    }
    return index.access().latchedLeaf(channel, guard, offset, leaf, into) == NodeAccess.OK;
  }

  /** Posts, after the flush, the entries that fit into the leaf, and the release of its latch. */
  public void postEntries(Channel channel, PoolAllocator allocator, LeafGuard guard) {
    if (!entered) {
      return;
    }
    NodeAccess access = index.access();
    Workspace w = Workspace.get();
    Node node = w.node;
    if (!isLatched(channel, guard, node)) {
      leave(guard);
      return;
    }
    if (node.level() == 0
        && NodeInserts.addRun(w, node, run)
        && postSplit(channel, allocator, w, guard)) {
      image = null;
      return;
    }
    if (run.next > 0) {
      access.postChangesAndRelease(channel, node);
    } else {
      access.postRelease(channel, node);
    }
    image = guard.keepsImage(leaf) ? node.toImage() : null;
  }

  /** Returns false if the split would have to wait for memory or a guard. */
  private boolean postSplit(
      Channel channel, PoolAllocator allocator, Workspace w, LeafGuard guard) {
    w.spare = PoolAddress.NULL;
    w.spareFor = PoolAddress.NULL;
    boolean splits =
        channel.stagingAvailable() >= SPLIT_BYTES && LeafChange.hasSpare(allocator, w, leaf, guard);
    long spare = LeafChange.takeSpare(w);
    if (splits) {
      NodeInserts.divide(w, spare, index.access().anyVersion(), run);
      index.separators().begin(channel, allocator, w, split);
    } else if (spare != PoolAddress.NULL) {
      allocator.free(spare, TreeNodeLayout.SIZE_CLASS);
    }
    return splits;
  }

  /** Posts, after a flush, the verbs of the next one; returns false if there are none. */
  public boolean postMore(Channel channel) {
    return split.postNext(channel);
  }

  /**
   * Leaves the leaf's guard, after the last flush, if it was entered. A caller that finishes
   * several inserts leaves the guards of all of them first, since finishing may have to wait, and
   * no thread waits in a guard.
   */
  public void leave(LeafGuard guard) {
    if (entered) {
      index.access().keepImage(guard, leaf, image);
      image = null;
      guard.exitTriedInsert(leaf);
      entered = false;
    }
  }

  /**
   * Leaves the guard, after the last flush, and inserts the remaining entries. If this is the only
   * insert, it also posts the remaining verbs of the split. Returns OK; or CONFLICT or EXHAUSTED:
   * then the run shows which entries were inserted.
   */
  public int finish(Channel channel, PoolAllocator allocator, LeafGuard guard) {
    while (postMore(channel)) {
      channel.flush();
    }
    leave(guard);
    if (split.isMissing()) {
      Workspace w = Workspace.get();
      w.spare = PoolAddress.NULL;
      index.separators().post(channel, allocator, w, split);
    }
    split.reset();
    return index.insertAll(channel, allocator, run, guard);
  }
}
