package org.nelumbo.dm.index.tree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.RowEstimate;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * An ordered index in the pool: maps normalised keys (byte strings, compared as unsigned bytes) to
 * CVT addresses, unique by key. A B-link tree in the style of Sherman. Readers take no latch. A
 * writer latches one node (or several leaves, if it waits for nothing while it holds them: {@link
 * LatchedInsert}). A split is published in the left sibling before the parent is updated, so a
 * search that arrives too far left moves right.
 *
 * <p><b>Cost.</b> Inner nodes are copied to the compute node. If these copies are warm, a search is
 * one round trip (the READ of a leaf), an insert or remove two; about one insert in 80 splits a
 * leaf, which takes one or two more ({@link Split}). Outdated copies cost steps, never correctness:
 * every leaf has both fences, and every node names its index ({@link TreeNodeLayout}).
 *
 * <p><b>Space.</b> A leaf of 1 KiB stores the common prefix of its keys once. Ascending runs of
 * inserts, at the end or in the middle, leave full leaves behind. Empty leaves are removed ({@link
 * #removeEmptyLeaves}).
 *
 * <p><b>Phantoms.</b> A scan locks the leaves it reads, through its {@link LeafGuard}, until its
 * transaction ends; an insert holds the guard of the leaf while it adds its entry.
 *
 * <p><i>Rule.</i> Let S be a scanner that read the range [a, b) of leaf L after it had locked L. No
 * entry is added to [a, b) while S holds its lock.
 *
 * <p><i>Proof.</i>
 *
 * <ol>
 *   <li>While [a, b) is in the range of L, an insert into it is made under the latch of L, after a
 *       check of the fences there, by a thread that holds the guard of L. The guard refuses while S
 *       holds its lock.
 *   <li>L's range shrinks only by a split of L. The insert that splits L holds the guard of L from
 *       before the split until the right half is linked; so S does not hold its lock. S may be the
 *       inserting transaction itself: then its guard also locks the right half for it ({@link
 *       LeafGuard#passRange}).
 *   <li>L is removed only when empty, by a thread that holds its guard until L is dead; so S does
 *       not hold its lock. A scanner that locks L later reads L after that, finds it dead, and
 *       continues at the leaf that has the range now.
 *   <li>L's range grows when its left neighbour is removed. That is harmless: the lock of L then
 *       covers more than S needs.
 * </ol>
 *
 * <p>The removal of an entry excludes no scanner: only entries that lead to no visible row are
 * removed.
 *
 * <p><b>Threads.</b> One object per index and compute node, used by all its coordinators, each with
 * its own channel and allocator.
 *
 * <p><b>Epochs.</b> Every method must be called with the horizon pinned, since removed nodes are
 * reused when it has passed. (A read of a reused node is detected, unless the reuse happens between
 * two words of one copy.)
 */
public final class OrderedIndex {
  /** Maximum length of a key, in bytes. */
  public static final int KEY_LENGTH_MAX = TreeNodeLayout.KEY_LENGTH_MAX;

  private final long root;
  private final ToLongFunction<Channel> clock;
  private final NodeAccess access;
  private final Navigator navigator;
  private final EmptyLeaves empty = new EmptyLeaves();
  private final Separators separators;
  private final LeafChange change;
  private final NodeRemoval removal;
  private final TreeEstimate estimate;

  /**
   * Opens an index; nothing is read before the first use.
   *
   * @param root result of {@link #create}
   * @param clock timestamps to retire memory with: any transaction that may see retired memory has
   *     pinned a horizon not above the current value
   * @param owner number of this compute node in the latches it takes, see {@link #repair}; 1 to
   *     2097150
   */
  public OrderedIndex(
      Environment environment, long root, ToLongFunction<Channel> clock, int owner) {
    if (owner <= TreeNodeLayout.FREE || owner >= TreeNodeLayout.DEAD) {
      throw new IllegalArgumentException(
          "an owner must be 1 to " + (TreeNodeLayout.DEAD - 1) + " owner=" + owner);
    }
    this.root = root;
    this.clock = clock;
    this.access = new NodeAccess(environment, root, owner);
    this.navigator = new Navigator(access, root);
    this.separators = new Separators(access, navigator);
    this.change = new LeafChange(access, navigator, separators, empty);
    this.removal = new NodeRemoval(access, navigator, empty, clock);
    this.estimate = new TreeEstimate(access, navigator);
  }

  /** Creates an empty index; returns its root address, or NULL if the pool is exhausted. */
  public static long create(Channel channel, PoolAllocator allocator) {
    long block = allocator.allocate(TreeNodeLayout.ROOT_BLOCK_SIZE_CLASS);
    long leaf =
        block == PoolAddress.NULL
            ? PoolAddress.NULL
            : allocator.allocate(TreeNodeLayout.SIZE_CLASS);
    if (leaf == PoolAddress.NULL) {
      if (block != PoolAddress.NULL) {
        allocator.free(block, TreeNodeLayout.ROOT_BLOCK_SIZE_CLASS);
      }
      return PoolAddress.NULL;
    }
    channel.writeLong(block + TreeNodeLayout.STATE_OFFSET, TreeNodeLayout.COMPLETE);
    writeFirst(channel, block, leaf);
    return block;
  }

  private static void writeFirst(Channel channel, long block, long leaf) {
    Node node = new Node();
    node.setLatch(TreeNodeLayout.freeLatch(block));
    new NodeBuilder().allKeys().noEntries().build(node, 0);
    int mark = channel.mark();
    int offset = channel.reserve(TreeNodeLayout.LENGTH);
    MemorySegment.copy(
        node.bytes, 0, channel.staging(), ValueLayout.JAVA_BYTE, offset, TreeNodeLayout.LENGTH);
    channel.write(leaf, offset, TreeNodeLayout.LENGTH);
    channel.flush();
    channel.writeLong(block, leaf);
    channel.flush();
    channel.release(mark);
  }

  /** Returns the root address, the result of {@link #create}. */
  public long root() {
    return root;
  }

  NodeAccess access() {
    return access;
  }

  Navigator navigator() {
    return navigator;
  }

  EmptyLeaves emptyLeaves() {
    return empty;
  }

  Separators separators() {
    return separators;
  }

  /**
   * Returns the leaf for a key, for {@link LatchedInsert}, or another one if the copies of inner
   * nodes are out of date. If there is no copy yet, this reads, and so flushes the channel.
   */
  public long leaf(Channel channel, byte[] key, int length) {
    return navigator.leaf(channel, Navigator.AT, key, length);
  }

  /**
   * Returns the inner node that lists the leaf of a key, according to the copies; NULL if unknown.
   */
  long parent(byte[] key, int length) {
    return navigator.known(1, key, length);
  }

  /**
   * Maps {@code key[0, length)} to {@code cvt}.
   *
   * @return INSERTED, PRESENT, CONFLICT or EXHAUSTED
   * @throws IllegalArgumentException if the key is longer than {@link #KEY_LENGTH_MAX}
   */
  public int insert(
      Channel channel, PoolAllocator allocator, byte[] key, int length, long cvt, LeafGuard guard) {
    if (length > KEY_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "index key too long bytes=" + length + " limit=" + KEY_LENGTH_MAX);
    }
    return change.insert(channel, allocator, key, length, cvt, guard);
  }

  /**
   * Inserts the remaining entries of a run, in their order, as {@link #insert} does. Consecutive
   * entries of one leaf cost two round trips together, so keys should be sorted.
   *
   * @param run its entries get their results: INSERTED or PRESENT
   * @return OK; or CONFLICT or EXHAUSTED: the entry with that result and those after it were not
   *     inserted
   */
  public int insertAll(Channel channel, PoolAllocator allocator, EntryRun run, LeafGuard guard) {
    while (run.next < run.size()) {
      int result = change.insert(channel, allocator, run, guard);
      if (result != IndexResult.INSERTED && result != IndexResult.PRESENT) {
        return result;
      }
    }
    return IndexResult.OK;
  }

  /**
   * Removes {@code key} if it maps to {@code cvt}; returns REMOVED, ABSENT, or CONFLICT if the
   * guard has refused. Records a leaf that has become empty for {@link #removeEmptyLeaves}.
   */
  public int remove(Channel channel, byte[] key, int length, long cvt, LeafGuard guard) {
    return length > KEY_LENGTH_MAX
        ? IndexResult.ABSENT
        : change.remove(channel, key, length, cvt, guard);
  }

  /** Returns the address that a key maps to, or NULL. */
  public long get(Channel channel, byte[] key, int length) {
    Node node = Workspace.get().node;
    long leaf = navigator.leaf(channel, Navigator.AT, key, length);
    boolean fresh = false;
    while (true) {
      int status = access.read(channel, leaf, node);
      if (status == NodeAccess.OK
          && node.level() == 0
          && Navigator.covers(node, Navigator.AT, key, length)) {
        int at = node.lowerBound(key, length);
        return node.hasKeyAt(at, key, length) ? node.value(at) : PoolAddress.NULL;
      }
      boolean right = fresh && LeafChange.isRight(status, node, key, length);
      leaf = right ? node.right() : navigator.findFresh(channel, 0, Navigator.AT, key, length);
      fresh = true;
    }
  }

  /** Returns true if there are leaves for {@link #removeEmptyLeaves}. */
  public boolean hasEmptyLeaves() {
    return !empty.isEmpty();
  }

  /**
   * Removes up to {@code limit} leaves from the tree that removes and scans on this compute node
   * have found empty. Meant for the garbage collector: the guard should not wait, and after a
   * refusal the leaf is tried again by a later call.
   *
   * @return the number of leaves removed
   */
  public int removeEmptyLeaves(
      Channel channel, PoolAllocator allocator, LeafGuard guard, int limit) {
    return empty.isEmpty() ? 0 : removal.run(channel, allocator, guard, limit);
  }

  /**
   * Releases the latches of a failed owner and completes the changes that it had begun. The caller
   * knows that the owner has failed and is fenced: none of its verbs can arrive any more. Reads the
   * whole index. If the repair itself is interrupted, it is repeated for both owners.
   *
   * @return the number of nodes that were repaired
   */
  public int repair(Channel channel, PoolAllocator allocator, int deadOwner) {
    return repair(channel, allocator, deadOwner, NodeAccess.NONE_DEAD);
  }

  /**
   * Repairs as {@link #repair(Channel, PoolAllocator, int)} does, while other failed owners are not
   * repaired yet. Nodes that these have left marked as being written are read in spite of the mark:
   * otherwise the repair would wait for them forever.
   *
   * @param areDeadToo returns true for other owners that are fenced, and whose nodes are not
   *     repaired meanwhile; called repeatedly while a node is marked
   */
  public int repair(
      Channel channel, PoolAllocator allocator, int deadOwner, IntPredicate areDeadToo) {
    return new TreeRepair(access, navigator, clock)
        .repair(channel, allocator, deadOwner, areDeadToo);
  }

  /**
   * Returns true if a failed owner left a node half-written, or the index half-built. Then the
   * index can neither be repaired nor read, but must be rebuilt: {@link #markIncomplete}, {@link
   * #clear}, insert all entries, {@link #markComplete}. Must be called before {@link #repair} on a
   * fabric that may execute a part of a WRITE when its process fails (a copy by the processor).
   */
  public boolean isTorn(Channel channel, int deadOwner) {
    return new TornCheck(access, navigator, deadOwner).isTorn(channel);
  }

  /** Records that the index must not be read until it is {@link #markComplete} again. */
  public void markIncomplete(Channel channel) {
    writeState(channel, TreeNodeLayout.INCOMPLETE);
  }

  /**
   * Makes the index empty; the memory of its old nodes is not freed.
   *
   * @return false if the pool is exhausted: nothing has changed
   */
  public boolean clear(Channel channel, PoolAllocator allocator) {
    long leaf = allocator.allocate(TreeNodeLayout.SIZE_CLASS);
    if (leaf == PoolAddress.NULL) {
      return false;
    }
    writeFirst(channel, root, leaf);
    return true;
  }

  /** Records that all entries are present. */
  public void markComplete(Channel channel) {
    writeState(channel, TreeNodeLayout.COMPLETE);
  }

  private void writeState(Channel channel, long state) {
    channel.writeLong(root + TreeNodeLayout.STATE_OFFSET, state);
    channel.flush();
  }

  /**
   * Scans an index that is not in use yet, after its repair, and removes the entries that the
   * visitor rejects.
   *
   * @return the number of entries removed
   */
  public int sweep(Channel channel, TreeSweepVisitor sweep) {
    return new LeafSweeper(access, navigator, empty, sweep).run(channel);
  }

  /**
   * Retires all memory of the index. The index is not used any more, except by earlier transactions
   * that may still read it.
   */
  public void drop(Channel channel, PoolAllocator allocator) {
    new TreeInspection(access, navigator).drop(channel, allocator, clock.applyAsLong(channel));
  }

  /** Returns the estimate of the number of entries. */
  public RowEstimate estimate() {
    return estimate;
  }

  /** Returns size and fill; reads the whole index. */
  public TreeStatistics statistics(Channel channel) {
    return new TreeInspection(access, navigator).statistics(channel);
  }

  /**
   * Checks every invariant of an index that does not change meanwhile: order and range of keys,
   * fences and siblings, levels, that every node is listed by its parent or reached from its left
   * sibling, latches.
   *
   * @return the number of entries
   * @throws IllegalStateException if an invariant is violated; the message says which one and where
   */
  public long verify(Channel channel) {
    return new TreeInspection(access, navigator).verify(channel);
  }
}
