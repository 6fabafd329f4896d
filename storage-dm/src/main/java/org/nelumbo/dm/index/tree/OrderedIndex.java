package org.nelumbo.dm.index.tree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * An ordered index in the pool: normalised keys (byte strings, compared as unsigned bytes) to CVT
 * addresses, unique by key. A B-link tree in the style of Sherman: readers latch nothing, a writer
 * latches one node (or several leaves, if it waits for nothing then: {@link LatchedInsert}), a
 * split is published in the left sibling before the parent is told, so a search that arrives too
 * far left goes right.
 *
 * <p><b>Cost.</b> Inner nodes are copied to the compute node. With these warm, a search is one
 * round trip (the READ of a leaf), an insert or remove two; about one insert in 80 splits a leaf,
 * which takes one or two more ({@link Split}). Copies that are out of date cost steps, never
 * correctness: every leaf has both fences, and every node names its index ({@link TreeNodeLayout}).
 *
 * <p><b>Space.</b> A leaf of 1 KiB stores the common prefix of its keys once. Ascending runs of
 * inserts, at the end or in the middle, leave full leaves behind. Empty leaves are taken out
 * ({@link #removeEmptyLeaves}).
 *
 * <p><b>Phantoms.</b> A scan locks the leaves it reads, through its {@link LeafGuard}, until its
 * transaction ends; an insert is in the guard of the leaf while it adds its entry. Let S be a
 * scanner that was shown the range [a, b) of leaf L, after it had got the lock of L. Why nothing is
 * added to [a, b) while S holds its lock:
 *
 * <ol>
 *   <li>As long as [a, b) is in the range of L, an insert into it is made under the latch of L,
 *       after the fences were checked there, by one that has entered the guard of L. The guard
 *       refuses while S is there.
 *   <li>L's range gets smaller only by a split of L. That is done by an insert into L, which has
 *       entered the guard of L, from before the split until the right half is linked; so S is not
 *       there. S may be the inserting transaction itself: then its guard also locks the right half
 *       for it ({@link LeafGuard#passRange}).
 *   <li>L is removed only when empty, by one that has entered its guard, until L is dead; so S is
 *       not there. A scanner that gets the lock of L later reads L after that, sees that it is
 *       dead, and goes on to the leaf that has the range now.
 *   <li>L's range gets larger when its left neighbour is removed. That harms nobody: the lock of L
 *       then covers more than S needs.
 * </ol>
 *
 * <p>Removing an entry asks no guard: it is only done to entries that lead to no visible row.
 *
 * <p><b>Threads.</b> One object an index and compute node, used by all its coordinators, each with
 * its own channel and allocator.
 *
 * <p><b>Epochs.</b> Every method is to be called with the horizon pinned, since nodes that were
 * taken out are reused when it has passed. (A read of a reused node is noticed, but for its falling
 * between two words of one copy.)
 */
public final class OrderedIndex {
  /** Longest key, in bytes. */
  public static final int KEY_LENGTH_MAX = TreeNodeLayout.KEY_LENGTH_MAX;

  private final long root;
  private final ToLongFunction<Channel> clock;
  private final NodeAccess access;
  private final Navigator navigator;
  private final EmptyLeaves empty = new EmptyLeaves();
  private final Separators separators;
  private final LeafChange change;
  private final NodeRemoval removal;

  /**
   * Opens an index; nothing is read before the first use.
   *
   * @param root what {@link #create} returned
   * @param clock timestamps to retire memory with: any transaction that may see what is retired has
   *     pinned a horizon not above the current value
   * @param owner names this compute node in the latches it takes, see {@link #repair}; 1 to 2097150
   */
  public OrderedIndex(
      Environment environment, long root, ToLongFunction<Channel> clock, int owner) {
    if (owner <= TreeNodeLayout.FREE || owner >= TreeNodeLayout.DEAD) {
      throw new IllegalArgumentException(
          "an owner is 1 to " + (TreeNodeLayout.DEAD - 1) + " owner=" + owner);
    }
    this.root = root;
    this.clock = clock;
    this.access = new NodeAccess(environment, root, owner);
    this.navigator = new Navigator(access, root);
    this.separators = new Separators(access, navigator);
    this.change = new LeafChange(access, navigator, separators, empty);
    this.removal = new NodeRemoval(access, navigator, empty, clock);
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

  /** Makes an empty leaf the root, and all there is. */
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

  /** The address that {@link #create} returned. */
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
   * The leaf where a key belongs, for {@link LatchedInsert}, or another one if the copies of inner
   * nodes are out of date. Where there is no copy yet this reads, and so flushes the channel.
   */
  public long leaf(Channel channel, byte[] key, int length) {
    return navigator.leaf(channel, Navigator.AT, key, length);
  }

  /** The inner node that lists the leaf of a key, as far as is known; NULL if nothing is. */
  long parent(byte[] key, int length) {
    return navigator.known(1, key, length);
  }

  /**
   * Makes {@code key[0, length)} map to {@code cvt}.
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
   * {@link #insert} of the entries of a run that are not in yet, in their order. Those that follow
   * each other in one leaf cost two round trips together, so keys should be sorted.
   *
   * @param run its entries get their results: INSERTED or PRESENT
   * @return OK; or CONFLICT or EXHAUSTED: the entry with that result and those after it are not in
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
   * Removes {@code key} if it maps to {@code cvt}: REMOVED or ABSENT. Notes a leaf that has become
   * empty for {@link #removeEmptyLeaves}.
   */
  public int remove(Channel channel, PoolAllocator allocator, byte[] key, int length, long cvt) {
    return length > KEY_LENGTH_MAX ? IndexResult.ABSENT : change.remove(channel, key, length, cvt);
  }

  /** The address a key maps to, or NULL. */
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

  /** Whether {@link #removeEmptyLeaves} has something to do. */
  public boolean hasEmptyLeaves() {
    return !empty.isEmpty();
  }

  /**
   * Takes out of the tree up to {@code limit} leaves that removes and scans on this compute node
   * have seen empty. Meant for the collector: the guard should answer at once, and a refusal means
   * nothing but that the leaf is tried again by another call.
   *
   * @return how many were taken out
   */
  public int removeEmptyLeaves(
      Channel channel, PoolAllocator allocator, LeafGuard guard, int limit) {
    return empty.isEmpty() ? 0 : removal.run(channel, allocator, guard, limit);
  }

  /**
   * Frees the latches of a dead owner and completes what it had begun. Whoever calls this knows
   * that the owner is dead and fenced: none of its verbs can arrive any more. Reads the whole
   * index. May itself be interrupted, and repeated for both owners.
   *
   * @return number of nodes that were repaired
   */
  public int repair(Channel channel, PoolAllocator allocator, int deadOwner) {
    return repair(channel, allocator, deadOwner, NodeAccess.NONE_DEAD);
  }

  /**
   * As {@link #repair(Channel, PoolAllocator, int)}, while other failed owners are still to be
   * repaired. Nodes that these have left marked as being written are read all the same: otherwise
   * the repair would wait for them for ever.
   *
   * @param areDeadToo true for other owners that are fenced, and whose nodes are not repaired
   *     meanwhile; called again and again while a node is marked
   */
  public int repair(
      Channel channel, PoolAllocator allocator, int deadOwner, IntPredicate areDeadToo) {
    return new TreeRepair(access, navigator, clock)
        .repair(channel, allocator, deadOwner, areDeadToo);
  }

  /**
   * Whether a dead owner left a node half-written, or the index half-built: then it can neither be
   * repaired nor read, but has to be built anew: {@link #markIncomplete}, {@link #clear}, insert
   * all entries, {@link #markComplete}. On a fabric that may do part of a WRITE when its process
   * dies (a copy by the processor) this is to be asked before {@link #repair}.
   */
  public boolean isTorn(Channel channel, int deadOwner) {
    return new TornCheck(access, navigator, deadOwner).isTorn(channel);
  }

  /** Notes that the index is not to be read until it is {@link #markComplete} again. */
  public void markIncomplete(Channel channel) {
    writeState(channel, TreeNodeLayout.INCOMPLETE);
  }

  /**
   * Makes the index empty; the memory of what was in it is not given back.
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

  /** Notes that all entries are there. */
  public void markComplete(Channel channel) {
    writeState(channel, TreeNodeLayout.COMPLETE);
  }

  private void writeState(Channel channel, long state) {
    channel.writeLong(root + TreeNodeLayout.STATE_OFFSET, state);
    channel.flush();
  }

  /**
   * Goes over an index that nobody uses yet, after its repair, and takes out the entries that are
   * not wanted.
   *
   * @return number of entries taken out
   */
  public int sweep(Channel channel, TreeSweepVisitor sweep) {
    return new LeafSweeper(access, navigator, empty, sweep).run(channel);
  }

  /**
   * Retires all memory of the index. Nobody uses the index any more, but readers that began before
   * may still be in it.
   */
  public void drop(Channel channel, PoolAllocator allocator) {
    new TreeInspection(access, navigator).drop(channel, allocator, clock.applyAsLong(channel));
  }

  /** Size and filling; reads the whole index. */
  public TreeStatistics statistics(Channel channel) {
    return new TreeInspection(access, navigator).statistics(channel);
  }

  /**
   * Checks every invariant of an index that nobody changes meanwhile: order and range of keys,
   * fences and siblings, levels, that every node is listed by its parent or reached from its left
   * sibling, latches.
   *
   * @return number of entries
   * @throws IllegalStateException saying what is wrong and where
   */
  public long verify(Channel channel) {
    return new TreeInspection(access, navigator).verify(channel);
  }
}
