package org.nelumbo.executor.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.LatchedInsert;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * Groups entries to be added to ordered indexes by the leaf that they belong to, as far as the leaf
 * is known. All leaves are latched together and so share their round trips; see {@link
 * LatchedInsert} for the steps. Reusable; not thread-safe.
 */
public final class LeafGroups {
  private static final int LEAVES_MAX = 64;

  private final Channel channel;
  private final PoolAllocator allocator;
  private final LeafGuard guard;
  private final IndexTrees trees;
  private final List<Group> groups = new ArrayList<>();
  private int count;

  /**
   * The entries of one leaf. An item is a number by which the user of the groups finds an entry's
   * key and value.
   */
  public static final class Group {
    public final LatchedInsert insert = new LatchedInsert();
    public IndexStore index;
    public int[] items = new int[4];
    public int size;

    public void add(int item) {
      if (size == items.length) {
        items = Arrays.copyOf(items, size * 4);
      }
      items[size++] = item;
    }
  }

  public LeafGroups(CoordinatorContext context, KeyLocks locks, IndexTrees trees) {
    this.channel = context.channel();
    this.allocator = context.allocator();
    this.guard = locks.leafGuard();
    this.trees = trees;
  }

  public void clear() {
    count = 0;
  }

  public int count() {
    return count;
  }

  public Group get(int i) {
    return groups.get(i);
  }

  /** Returns the group of a leaf, or null if there are too many groups. */
  public Group of(IndexStore index, long leaf) {
    OrderedIndex tree = trees.changing(index);
    for (int i = 0; i < count; i++) {
      if (groups.get(i).insert.isAt(tree, leaf)) {
        return groups.get(i);
      }
    }
    if (count == LEAVES_MAX) {
      return null;
    }
    if (count == groups.size()) {
      groups.add(new Group());
    }
    Group group = groups.get(count++);
    group.insert.begin(tree, leaf);
    group.index = index;
    group.size = 0;
    return group;
  }

  /** Step 1: posts the latches of all leaves. The caller flushes. */
  public void postLatches() {
    for (int i = 0; i < count; i++) {
      groups.get(i).insert.postLatch(channel, guard);
    }
  }

  /** Returns true, after that flush, if the latched leaf of a group is known to have the key. */
  public boolean contains(Group group, KeyBuffer key) {
    return group.insert.contains(channel, guard, key.bytes, key.length);
  }

  /**
   * Step 2: posts the entries, after the caller has added them to the run of each group. The caller
   * flushes.
   */
  public void postEntries() {
    for (int i = 0; i < count; i++) {
      groups.get(i).insert.postEntries(channel, allocator, guard);
    }
  }

  /**
   * Step 3: posts and flushes the remaining verbs of leaves that are split, and leaves the guards.
   * The caller may then release the staging buffer, and finishes the groups one by one, so that at
   * most one leaf is guarded at a time.
   */
  public void leave() {
    while (postMore()) {
      channel.flush();
    }
    for (int i = 0; i < count; i++) {
      groups.get(i).insert.leave(guard);
    }
  }

  private boolean postMore() {
    boolean more = false;
    for (int i = 0; i < count; i++) {
      more |= groups.get(i).insert.postMore(channel);
    }
    return more;
  }
}
