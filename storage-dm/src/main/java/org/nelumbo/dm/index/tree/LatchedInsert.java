package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.index.LeafGuard;

/**
 * Inserts entries into a leaf so that its two round trips are shared with other verbs, inserts into
 * other leaves and indexes among them:
 *
 * <ol>
 *   <li>{@link #begin}, {@link #postLatch}; flush;
 *   <li>add the entries to {@link #run}, {@link #postEntries}; flush;
 *   <li>{@link #leave}, where there are several of these: of all of them before one is finished;
 *   <li>{@link #finish}.
 * </ol>
 *
 * <p>Where this does not go (a guard or a latch would have to be waited for, the way to the leaf
 * was out of date, the leaf is full), the second step posts at most that the latch is free, and the
 * last one inserts the entries as {@link OrderedIndex#insertAll} does. So nobody waits for anything
 * while latches, or several guards, are held, and it does not matter how many of these are under
 * way on a channel. The staging buffer is released by the caller, after the second flush. Reusable;
 * not thread-safe.
 */
public final class LatchedInsert {
  private final EntryRun run = new EntryRun();
  private final Node node = new Node();
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
  public void postEntries(Channel channel, LeafGuard guard) {
    if (!entered) {
      return;
    }
    if (index.access().latched(channel, offset, leaf, node) != NodeAccess.OK) {
      leave(guard);
      return;
    }
    if (run.size() > 0 && insertFirst(run.key(0), run.length(0))) {
      LeafChange.takeAlong(node, run);
      index.access().postChanges(channel, node);
    }
    index.access().postRelease(channel, node);
  }

  private boolean insertFirst(byte[] key, int length) {
    if (!Navigator.covers(node, Navigator.AT, key, length) || !node.hasRoom(key, length)) {
      return false;
    }
    int at = node.lowerBound(key, length);
    if (node.hasKeyAt(at, key, length)) {
      return false;
    }
    node.insert(at, key, length, run.value(0));
    run.setResult(0, OrderedIndex.INSERTED);
    run.next = 1;
    return true;
  }

  /**
   * After the second flush: leaves the leaf's guard, if it was entered. Whoever finishes several
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
   * After the second flush: leaves the guard, and inserts what is not in yet. OK; or CONFLICT or
   * EXHAUSTED: then the run tells which entries are in.
   */
  public int finish(Channel channel, PoolAllocator allocator, LeafGuard guard) {
    leave(guard);
    return index.insertAll(channel, allocator, run, guard);
  }
}
