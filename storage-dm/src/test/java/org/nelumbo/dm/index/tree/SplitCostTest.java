package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Tests the round trips of inserts that split, with warm copies of inner nodes. {@code sameNode} is
 * true if both halves are on one memory node.
 */
class SplitCostTest {
  private static final int KEYS = 20_000;

  private final TreePool pool = new TreePool(64 << 20);
  private final OrderedIndex index = pool.create();
  private final CountingChannel channel = pool.channel;

  @AfterEach
  void close() {
    pool.close();
  }

  /** Fills all leaves and inner nodes except the last ones. */
  private void fill() {
    for (int i = 0; i < KEYS; i++) {
      pool.insert(index, TreePool.key(i * 100L), 16);
    }
  }

  /** Fills the index, and splits the inner node above some keys. */
  private void fillAndMakeRoom() {
    fill();
    for (int i = 1_000; i < 1_500; i += 50) {
      pool.insert(index, TreePool.key(i * 100L + 1), 16);
    }
  }

  /**
   * Fills the leaf of a key behind its first entry, and returns the first key that does not fit.
   * Keys after that one go to the half with fewer entries.
   */
  private long fillUp(OrderedIndex tree, long near) {
    byte[] bytes = TreePool.key(near);
    Node node = new Node();
    read(tree, bytes, node);
    node.copyKey(0, bytes, 0);
    for (long key = TreePool.number(bytes, 0) + 1; ; key++) {
      bytes = TreePool.key(key);
      read(tree, bytes, node);
      int at = node.lowerBound(bytes, Long.BYTES);
      if (!NodeInserts.add(Workspace.get(), node, at, bytes, Long.BYTES, 16)) {
        return key;
      }
      assertEquals(IndexResult.INSERTED, pool.insert(tree, bytes, 16));
    }
  }

  private void read(OrderedIndex tree, byte[] key, Node into) {
    long leaf = tree.leaf(channel, key, Long.BYTES);
    assertEquals(NodeAccess.OK, tree.access().read(channel, leaf, into));
  }

  private long roundTrips(Runnable operation) {
    long before = channel.counters(CountingChannel.UNLABELLED).roundTrips();
    operation.run();
    return channel.counters(CountingChannel.UNLABELLED).roundTrips() - before;
  }

  /** Returns the round trips of an operation, and checks the number of nodes that it adds. */
  private long splitting(int leaves, int innerNodes, Runnable operation) {
    TreeStatistics before = index.statistics(channel);
    long count = roundTrips(operation);
    TreeStatistics after = index.statistics(channel);
    assertEquals(leaves, after.leaves() - before.leaves(), "leaves");
    assertEquals(innerNodes, after.innerNodes() - before.innerNodes(), "inner nodes");
    assertEquals(0, after.missingSeparators());
    index.verify(channel);
    return count;
  }

  private void insert(byte[] key) {
    assertEquals(IndexResult.INSERTED, pool.insert(index, key, 16));
  }

  private static EntryRun run(long from, int count) {
    EntryRun run = new EntryRun();
    for (int i = 0; i < count; i++) {
      run.add(TreePool.key(from + i), Long.BYTES, 16);
    }
    return run;
  }

  private void insertAll(EntryRun run) {
    assertEquals(IndexResult.OK, index.insertAll(channel, pool.allocator, run, LeafGuard.NONE));
    for (int i = 0; i < run.size(); i++) {
      assertEquals(IndexResult.INSERTED, run.result(i));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSplitALeafInFourRoundTripsOrThree(boolean sameNode) {
    fillAndMakeRoom();
    byte[] key = TreePool.key(fillUp(index, 120_201));
    pool.steer(index, key, sameNode);
    assertEquals(sameNode ? 3 : 4, splitting(1, 0, () -> insert(key)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSplitTheParentInOneRoundTripMore(boolean sameNode) {
    fill();
    byte[] key = TreePool.key(fillUp(index, 1_000_001));
    int parent = PoolAddress.node(index.parent(key, key.length));
    pool.steer(index, key, sameNode);
    int leaf = PoolAddress.node(index.leaf(channel, key, key.length));
    boolean allSame = sameNode && parent == leaf;
    assertEquals(allSame ? 4 : 5, splitting(1, 1, () -> insert(key)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldInsertRestOfRunDuringSplit(boolean sameNode) {
    fillAndMakeRoom();
    long from = fillUp(index, 120_201);
    pool.steer(index, TreePool.key(from), sameNode);
    assertEquals(sameNode ? 3 : 4, splitting(1, 0, () -> insertAll(run(from, 25))));
  }

  /** The first entries fill the leaf, and the others fit into the right half. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSplitLeafFilledByStartOfRun(boolean sameNode) {
    fillAndMakeRoom();
    long full = fillUp(index, 120_201);
    for (int i = 1; i <= 5; i++) {
      pool.remove(index, TreePool.key(full - i), 16);
    }
    pool.steer(index, TreePool.key(full), sameNode);
    assertEquals(sameNode ? 3 : 4, splitting(1, 0, () -> insertAll(run(full - 5, 25))));
  }

  @Test
  void shouldCostTwoRoundTripsMoreWhereNoMemoryIsAtHand() {
    fillAndMakeRoom();
    byte[] key = TreePool.key(fillUp(index, 120_201));
    pool.steer(index, key, true);
    pool.allocator.haveNothingAtHand();
    assertEquals(5, splitting(1, 0, () -> insert(key)));
  }

  @Test
  void shouldCostAnInsertWithoutSplitNoMemory() {
    fillAndMakeRoom();
    long key = fillUp(index, 120_201);
    insert(TreePool.key(key));
    int live = pool.allocator.live().size();
    assertEquals(2, roundTrips(() -> insert(TreePool.key(key + 1))));
    assertEquals(live, pool.allocator.live().size());
  }

  /** The splits are of leaves of one parent, of another parent, and of another index. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldShareTheRoundTripsOfSplits(boolean sameNode) {
    OrderedIndex second = pool.create();
    fillAndMakeRoom();
    for (int i = 0; i < 3_000; i++) {
      pool.insert(second, TreePool.key(i * 100L), 16);
    }
    pool.insert(second, TreePool.key(100_001), 16);
    long key = fillUp(index, 120_201);
    long other = fillUp(second, 200_001);
    byte[] first = TreePool.key(key);
    pool.steer(index, first, sameNode);
    long leaf = index.leaf(channel, first, Long.BYTES);
    long otherLeaf = second.leaf(channel, TreePool.key(other), Long.BYTES);
    boolean alike = PoolAddress.node(leaf) == PoolAddress.node(otherLeaf);
    long entries = index.verify(channel) + second.verify(channel);
    long count =
        roundTrips(
            () -> insertTogether(List.of(index, second), List.of(run(key, 25), run(other, 25))));
    assertEquals(sameNode && alike ? 3 : 4, count);
    assertEquals(entries + 50, index.verify(channel) + second.verify(channel));
  }

  private void insertTogether(List<OrderedIndex> indexes, List<EntryRun> runs) {
    int mark = channel.mark();
    List<LatchedInsert> inserts = List.of(new LatchedInsert(), new LatchedInsert());
    for (int i = 0; i < 2; i++) {
      LatchedInsert insert = inserts.get(i);
      EntryRun run = runs.get(i);
      insert.begin(indexes.get(i), indexes.get(i).leaf(channel, run.key(0), run.length(0)));
      insert.postLatch(channel, LeafGuard.NONE);
    }
    channel.flush();
    for (int i = 0; i < 2; i++) {
      EntryRun run = runs.get(i);
      for (int j = 0; j < run.size(); j++) {
        inserts.get(i).run().add(run.key(j), run.length(j), run.value(j));
      }
      inserts.get(i).postEntries(channel, pool.allocator, LeafGuard.NONE);
    }
    TreePool.flushAll(channel, inserts);
    inserts.forEach(each -> each.leave(LeafGuard.NONE));
    for (LatchedInsert each : inserts) {
      assertEquals(IndexResult.OK, each.finish(channel, pool.allocator, LeafGuard.NONE));
    }
    channel.release(mark);
  }
}
