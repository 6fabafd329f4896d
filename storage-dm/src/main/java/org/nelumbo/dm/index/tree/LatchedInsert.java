package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Inserts entries into a leaf so that its two round trips are shared with other verbs, inserts into
 * other leaves and indexes among them; and so are those of a split of the leaf:
 *
 * <ol>
 *   <li>{@link #begin}, {@link #postLatch}; flush;
 *   <li>add the entries to {@link #run}, {@link #postEntries}; flush;
 *   <li>as long as there is {@link #postMore}, of any of those that are under way: flush;
 *   <li>{@link #leave}, where there are several of these: of all of them, when none of them has
 *       more to post, before one is finished;
 *   <li>{@link #finish}.
 * </ol>
 *
 * <p>Where this does not go (a guard or a latch would have to be waited for, the way to the leaf
 * was out of date, the leaf is full and no memory at hand), the second step posts at most that the
 * latch is free, and the last one inserts the entries as {@link OrderedIndex#insertAll} does. So
 * nobody waits for anything while latches, or several guards, are held, and it does not matter how
 * many of these are under way on a channel. The staging buffer is released by the caller, when
 * there is no more to be posted. Reusable; not thread-safe.
 */
public final class LatchedInsert {
  /** Staging bytes of a split; a leaf is not split in this way if there are less. */
  private static final int SPLIT_BYTES = 16 << 10;

  private final EntryRun run = new EntryRun();
  private final Split split = new Split();
  private OrderedIndex index;

  /** The guard of {@link #leaf} has been entered. */
  private boolean entered;

  private long leaf;
  private int offset;

  /**
   * Begins anew.
   *
   * @param at the leaf where the entries belong, see {@link OrderedIndex#leaf}
   */
  public void begin(OrderedIndex into, long at) {
    index = into;
    leaf = at;
    entered = false;
    run.clear();
    split.reset();
  }

  /** Whether this is for that leaf. */
  public boolean isAt(OrderedIndex into, long at) {
    return index == into && leaf == at;
  }

  /** Posts latching and reading the leaf. */
  public void postLatch(Channel channel, LeafGuard guard) {
    entered = guard.tryEnterInsert(leaf);
    if (entered) {
      offset = index.access().postLatch(channel, leaf);
    }
  }

  /** The entries; after {@link #finish} also what has become of them. */
  public EntryRun run() {
    return run;
  }

  /** After the flush: posts the entries that go into the leaf, and that its latch is free. */
  public void postEntries(Channel channel, PoolAllocator allocator, LeafGuard guard) {
    if (!entered) {
      return;
    }
    NodeAccess access = index.access();
    Workspace w = Workspace.get();
    Node node = w.node;
    if (access.latched(channel, offset, leaf, node) != NodeAccess.OK) {
      leave(guard);
      return;
    }
    if (node.level() == 0
        && NodeInserts.addRun(w, node, run)
        && postSplit(channel, allocator, w, guard)) {
      return;
    }
    if (run.next > 0) {
      access.postChanges(channel, node);
    }
    access.postRelease(channel, node);
  }

  /** The leaf is full; false if it cannot be split without waiting for something else. */
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

  /** After a flush: posts what the next one is for; false if there is nothing more. */
  public boolean postMore(Channel channel) {
    return split.postNext(channel);
  }

  /**
   * After the last flush: leaves the leaf's guard, if it was entered. Whoever finishes several
   * inserts leaves the guards of all before, since to finish one may take waiting, and nobody waits
   * in a guard.
   */
  public void leave(LeafGuard guard) {
    if (entered) {
      guard.exitTriedInsert(leaf);
      entered = false;
    }
  }

  /**
   * After the last flush: leaves the guard, and inserts what is not in yet. Where this is the only
   * one, it also sees to what there is more to post. OK; or CONFLICT or EXHAUSTED: then the run
   * tells which entries are in.
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
