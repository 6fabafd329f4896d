package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A compute node has cached the path to a leaf. The memory of the leaf is then reused for an inner
 * node of the same index, whose range contains that of the leaf. No entry may be added to or
 * removed from that node by the stale path.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StaleWayTest {
  /** Number of entries that are inserted or removed together. */
  private static final int TOGETHER = 3;

  private final TreePool pool = new TreePool(64 << 20);
  private final OrderedIndex index = pool.create();
  private final OrderedIndex stale = pool.open(index.root(), 2);

  /** Number of allocations of the current insert. */
  private int allocations;

  private long removed;
  private boolean reused;

  /** An allocator that reuses the memory of the removed leaf once, as the new half of a parent. */
  private final PoolAllocator allocator =
      (PoolAllocator)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {PoolAllocator.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("retire")) {
                  return null;
                }
                if (!method.getName().startsWith("allocate")
                    && !method.getName().startsWith("tryAllocate")) {
                  return method.invoke(pool.allocator, arguments);
                }
                if (allocations == 1 && !reused) {
                  reused = true;
                  return removed;
                }
                Object block = method.invoke(pool.allocator, arguments);
                allocations += block.equals(PoolAddress.NULL) ? 0 : 1;
                return block;
              });

  private long key;
  private long entries;

  @BeforeEach
  void makeTheLeafAnInnerNode() {
    for (long i = 0; i < 3_000; i++) {
      pool.insert(index, TreePool.key(i * 100), 16);
    }
    key = 2_000 * 100;
    removed = stale.leaf(pool.channel, TreePool.key(key), Long.BYTES);
    empty(removed);
    assertEquals(1, index.removeEmptyLeaves(pool.channel, allocator, LeafGuard.NONE, 1));
    for (long i = 0; index.statistics(pool.channel).innerNodes() == 1; i++) {
      allocations = 0;
      byte[] next = TreePool.key(i * 7919 % 100_000 * 2 + 1); // left of the key
      index.insert(pool.channel, allocator, next, next.length, 16, LeafGuard.NONE);
    }
    entries = index.verify(pool.channel);
    assertEquals(removed, stale.leaf(pool.channel, TreePool.key(key), Long.BYTES));
    Node node = new Node();
    assertEquals(NodeAccess.OK, index.access().read(pool.channel, removed, node));
    assertEquals(1, node.level());
    assertTrue(Navigator.covers(node, Navigator.AT, TreePool.key(key), Long.BYTES));
  }

  private void empty(long leaf) {
    for (long i = 0; i < 3_000; i++) {
      byte[] each = TreePool.key(i * 100);
      if (stale.leaf(pool.channel, each, Long.BYTES) == leaf) {
        pool.remove(index, each, 16);
      }
    }
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private void assertHasKey() {
    assertHasKeys(1);
  }

  /** Asserts that the index has this many consecutive keys more than before the test. */
  private void assertHasKeys(int count) {
    for (int i = 0; i < count; i++) {
      assertEquals(16, index.get(pool.channel, TreePool.key(key + i), Long.BYTES), "i=" + i);
    }
    assertEquals(entries + count, index.verify(pool.channel));
  }

  @Test
  void shouldInsertIntoTheRightLeaf() {
    pool.insert(stale, TreePool.key(key), 16);
    assertHasKey();
  }

  @Test
  void shouldInsertIntoRightLeafByLatchedInsert() {
    LatchedInsert insert = new LatchedInsert();
    insert.begin(stale, removed);
    insert.postLatch(pool.channel, LeafGuard.NONE);
    pool.channel.flush();
    for (int i = 0; i < TOGETHER; i++) {
      insert.run().add(TreePool.key(key + i), Long.BYTES, 16);
    }
    insert.postEntries(pool.channel, pool.allocator, LeafGuard.NONE);
    pool.channel.flush();
    insert.finish(pool.channel, pool.allocator, LeafGuard.NONE);
    assertHasKeys(TOGETHER);
  }

  @Test
  void shouldRemoveFromTheRightLeaf() {
    pool.insert(index, TreePool.key(key), 16);
    assertHasKey();
    assertEquals(IndexResult.REMOVED, pool.remove(stale, TreePool.key(key), 16));
    assertEquals(entries, index.verify(pool.channel));
  }

  @Test
  void shouldRemoveFromRightLeafByEntryRemovals() {
    for (int i = 0; i < TOGETHER; i++) {
      pool.insert(index, TreePool.key(key + i), 16);
    }
    assertHasKeys(TOGETHER);
    EntryRemovals removals = new EntryRemovals(LeafGuard.NONE);
    for (int i = 0; i < TOGETHER; i++) {
      removals.add(pool.channel, stale, TreePool.key(key + i), Long.BYTES, 16);
    }
    removals.run(pool.channel);
    assertEquals(entries, index.verify(pool.channel));
    for (int i = 0; i < TOGETHER; i++) {
      byte[] each = TreePool.key(key + i);
      assertEquals(PoolAddress.NULL, index.get(pool.channel, each, Long.BYTES));
    }
  }
}
