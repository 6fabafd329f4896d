package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A compute node fails before each verb of an operation in turn. After the repair no entry is lost,
 * the tree is consistent, and the surviving compute node can write everywhere.
 */
@Timeout(300)
@ParameterizedClass(name = "exclusive guard: {0}")
@ValueSource(booleans = {false, true})
class TreeRepairTest {
  private static final int DEAD = 7;
  private static final int SURVIVOR = 8;
  private static final int DEAD_TOO = 9;
  private static final int VERBS_MAX = 600;

  /** Number of tested orders of verbs between nodes; order 0 is the posted order. */
  private static final int ORDERS = 6;

  private static final ExclusiveGuard EXCLUSIVE = new ExclusiveGuard();

  /** The guard of all changes in the present tests. */
  private static LeafGuard guard;

  private final boolean isExclusive;

  TreeRepairTest(boolean isExclusive) {
    this.isExclusive = isExclusive;
  }

  @BeforeEach
  void chooseGuard() {
    guard = isExclusive ? EXCLUSIVE : LeafGuard.NONE;
  }

  /** One tree, its expected content, and the two compute nodes. */
  private static final class Scene implements AutoCloseable {
    final TreePool pool = new TreePool(16 << 20);
    final DyingChannel channel = new DyingChannel(pool.channel);
    final OrderedIndex dying = pool.open(OrderedIndex.create(pool.channel, pool.allocator), DEAD);
    final OrderedIndex survivor = pool.open(dying.root(), SURVIVOR);
    final TreeMap<byte[], Long> content = new TreeMap<>(Arrays::compareUnsigned);

    void put(byte[] key, long cvt) {
      assertEquals(
          IndexResult.INSERTED, dying.insert(channel, pool.allocator, key, key.length, cvt, guard));
      content.put(key, cvt);
    }

    void take(byte[] key) {
      assertEquals(
          IndexResult.REMOVED, dying.remove(channel, key, key.length, content.get(key), guard));
      content.remove(key);
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  /** Returns a scene with {@code count} keys of eight bytes, with gaps between them. */
  private static Scene filled(int count) {
    Scene scene = new Scene();
    for (int i = 0; i < count; i++) {
      scene.put(TreePool.key(i * 100L), 16);
    }
    return scene;
  }

  /**
   * Makes the operation fail before its first, second, and each later verb, until it succeeds.
   *
   * @param undecided keys that may be present or absent after a failure
   */
  private static void dieEverywhere(
      Supplier<Scene> start, List<byte[]> undecided, Consumer<Scene> operation) {
    for (int order = 0; order < ORDERS; order++) {
      dieEverywhere(start, undecided, operation, order);
    }
  }

  private static void dieEverywhere(
      Supplier<Scene> start, List<byte[]> undecided, Consumer<Scene> operation, int order) {
    for (int verbs = 0; verbs < VERBS_MAX; verbs++) {
      try (Scene scene = start.get()) {
        if (order > 0) {
          scene.channel.delay(order);
        }
        scene.channel.dieAfter(verbs);
        boolean died = dies(() -> operation.accept(scene));
        checkAfterDeath(scene, undecided);
        if (!died) {
          assertTrue(verbs > 2, "verbs=" + verbs);
          return;
        }
      }
    }
    throw new AssertionError("more verbs than expected");
  }

  private static void checkAfterDeath(Scene scene, List<byte[]> undecided) {
    EXCLUSIVE.clear();
    Channel channel = scene.pool.channel;
    OrderedIndex index = scene.survivor;
    index.repair(channel, scene.pool.allocator, DEAD);
    for (byte[] key : undecided) {
      long found = index.get(channel, key, key.length);
      if (found != PoolAddress.NULL) {
        scene.content.put(key, found);
      } else {
        scene.content.remove(key);
      }
    }
    assertEquals(scene.content.size(), index.verify(channel));
    scene.content.forEach((key, cvt) -> assertEquals(cvt, index.get(channel, key, key.length)));
    assertEquals(0, index.repair(channel, scene.pool.allocator, DEAD));
    assertUsable(scene);
  }

  /**
   * Checks that the surviving compute node can insert and remove everywhere, which also adds
   * missing separators.
   */
  private static void assertUsable(Scene scene) {
    scene.pool.horizon.set(scene.pool.clock.incrementAndGet());
    for (int i = -1; i < 600; i++) {
      assertEquals(
          IndexResult.INSERTED, scene.pool.insert(scene.survivor, TreePool.key(i * 100L + 33), 48));
    }
    assertEquals(scene.content.size() + 601, scene.survivor.verify(scene.pool.channel));
    for (int i = -1; i < 600; i++) {
      assertEquals(
          IndexResult.REMOVED, scene.pool.remove(scene.survivor, TreePool.key(i * 100L + 33), 48));
      scene.survivor.removeEmptyLeaves(scene.pool.channel, scene.pool.allocator, guard, 4);
    }
    assertEquals(scene.content.size(), scene.survivor.verify(scene.pool.channel));
    assertEquals(0, scene.survivor.statistics(scene.pool.channel).missingSeparators());
  }

  @Test
  void shouldSurviveFailureDuringAppend() {
    byte[] key = TreePool.key(99_999);
    dieEverywhere(() -> filled(30), List.of(key), scene -> scene.put(key, 32));
  }

  @Test
  void shouldSurviveFailureDuringInsertInTheMiddle() {
    byte[] key = TreePool.key(1_050);
    dieEverywhere(() -> filled(30), List.of(key), scene -> scene.put(key, 32));
  }

  @Test
  void shouldSurviveFailureDuringInsertOfAnotherLength() {
    byte[] key = Arrays.copyOf(TreePool.key(1_000), 12);
    dieEverywhere(() -> filled(30), List.of(key), scene -> scene.put(key, 32));
  }

  @Test
  void shouldSurviveFailureDuringRemoval() {
    byte[] key = TreePool.key(1_000);
    dieEverywhere(() -> filled(30), List.of(key), scene -> scene.take(key));
  }

  /** The first leaf is full and has no parent. */
  @Test
  void shouldSurviveFailureDuringFirstSplit() {
    int full = fullLeaf();
    byte[] key = TreePool.key(1_050);
    dieEverywhere(() -> filled(full), List.of(key), scene -> scene.put(key, 32));
  }

  /**
   * Returns a scene with a full leaf whose parent has room. The new leaf goes to the same memory
   * node or to the other one.
   */
  private static Scene steered(int count, byte[] key, boolean sameNode) {
    Scene scene = filled(count);
    scene.pool.steer(scene.dying, key, sameNode);
    return scene;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSurviveFailureDuringLaterSplit(boolean sameNode) {
    int full = fullLeaf();
    byte[] key = TreePool.key(1_050);
    dieEverywhere(
        () -> steered(full * 3, key, sameNode), List.of(key), scene -> scene.put(key, 32));
  }

  @Test
  void shouldSurviveFailureInSplitThatAllocatesMemory() {
    int full = fullLeaf();
    byte[] key = TreePool.key(1_050);
    Supplier<Scene> start =
        () -> {
          Scene scene = filled(full * 3);
          scene.pool.allocator.haveNothingAtHand();
          return scene;
        };
    dieEverywhere(start, List.of(key), scene -> scene.put(key, 32));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSurviveFailureDuringSplitUnderRun(boolean sameNode) {
    int full = fullLeaf();
    List<byte[]> keys = LongStream.range(1_001, 1_020).mapToObj(TreePool::key).toList();
    dieEverywhere(
        () -> steered(full * 3, keys.get(0), sameNode),
        keys,
        scene -> {
          EntryRun run = new EntryRun();
          keys.forEach(key -> run.add(key, key.length, 32));
          scene.dying.insertAll(scene.channel, scene.pool.allocator, run, guard);
          keys.forEach(key -> scene.content.put(key, 32L));
        });
  }

  /**
   * Two leaves of one parent split: one split holds the latch of the parent, the other one waits.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSurviveFailureDuringTwoConcurrentSplits(boolean sameNode) {
    int full = fullLeaf();
    List<byte[]> keys = List.of(TreePool.key(1_050), TreePool.key(full * 100L + 1_050));
    dieEverywhere(
        () -> steered(full * 3, keys.get(0), sameNode),
        keys,
        scene -> {
          insertTogether(scene, keys);
          keys.forEach(key -> scene.content.put(key, 32L));
        });
  }

  private static void insertTogether(Scene scene, List<byte[]> keys) {
    List<LatchedInsert> inserts = List.of(new LatchedInsert(), new LatchedInsert());
    for (int i = 0; i < 2; i++) {
      byte[] key = keys.get(i);
      LatchedInsert insert = inserts.get(i);
      insert.begin(scene.dying, scene.dying.leaf(scene.channel, key, key.length));
      insert.postLatch(scene.channel, guard);
    }
    scene.channel.flush();
    for (int i = 0; i < 2; i++) {
      inserts.get(i).run().add(keys.get(i), keys.get(i).length, 32);
      inserts.get(i).postEntries(scene.channel, scene.pool.allocator, guard);
    }
    TreePool.flushAll(scene.channel, inserts);
    for (LatchedInsert each : inserts) {
      each.finish(scene.channel, scene.pool.allocator, guard);
    }
  }

  /**
   * Long keys make small nodes, so that inner nodes split too. The tree is filled until the next
   * insert creates a new root.
   */
  @Test
  void shouldSurviveFailureDuringSplitsUpToTheRoot() {
    int count = longKeysBefore(size -> size.height() == 4);
    byte[] key = longKey(count);
    for (int order = 0; order < 2; order++) {
      dieEverywhere(() -> withLongKeys(count), List.of(key), scene -> scene.put(key, 32), order);
    }
  }

  /** Both halves of the leaf, and of its parent, are on one memory node or on two. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSurviveFailureDuringSplitOfParent(boolean sameNode) {
    int count = longKeysBefore(size -> size.innerNodes() == 4);
    byte[] key = longKey(count);
    Supplier<Scene> start =
        () -> {
          Scene scene = withLongKeys(count);
          scene.pool.steer(scene.dying, key, sameNode);
          return scene;
        };
    dieEverywhere(start, List.of(key), scene -> scene.put(key, 32));
  }

  private static Scene withLongKeys(int count) {
    Scene scene = new Scene();
    for (int i = 0; i < count; i++) {
      scene.put(longKey(i), 16);
    }
    return scene;
  }

  @Test
  void shouldSurviveFailureDuringRemovalOfALeafInTheMiddle() {
    dieEverywhere(() -> withEmptyLeaf(1), List.of(), TreeRepairTest::tidy);
  }

  @Test
  void shouldSurviveFailureDuringRemovalOfTheFirstLeaf() {
    dieEverywhere(() -> withEmptyLeaf(0), List.of(), TreeRepairTest::tidy);
  }

  /** The removed leaf is the last child of an inner node. */
  @Test
  void shouldSurviveFailureDuringRemovalOfAnInnerNode() {
    Supplier<Scene> start =
        () -> {
          Scene scene = withLongKeys(80);
          for (int i = 0; i < 14; i++) {
            scene.take(longKey(i));
          }
          return scene;
        };
    dieEverywhere(start, List.of(), TreeRepairTest::tidy);
  }

  @Test
  void shouldSurviveFailureDuringRepair() {
    for (int verbs = 30; verbs < 100; verbs += 2) {
      for (int repairVerbs = 1, died = 1; died == 1; repairVerbs += 7) {
        try (Scene scene = withEmptyLeaf(1)) {
          scene.channel.dieAfter(verbs);
          if (!dies(() -> tidy(scene))) {
            return;
          }
          scene.channel.dieAfter(repairVerbs);
          died =
              dies(() -> scene.survivor.repair(scene.channel, scene.pool.allocator, DEAD)) ? 1 : 0;
          checkAfterDeath(scene, List.of());
        }
      }
    }
    throw new AssertionError("more verbs than expected");
  }

  /** A node that a failed compute node has marked as being written stays so until the repair. */
  @Test
  void shouldRepairAfterTwoFailedComputeNodes() {
    byte[] key = TreePool.key(50);
    byte[] keyElsewhere = TreePool.key(fullLeaf() * 300L + 50);
    for (int verbs = 0; verbs < VERBS_MAX; verbs++) {
      try (Scene scene = filled(fullLeaf() * 4)) {
        DyingChannel channel = new DyingChannel(scene.pool.channel);
        OrderedIndex dyingToo = scene.pool.open(scene.dying.root(), DEAD_TOO);
        channel.dieAfter(verbs);
        boolean died =
            dies(() -> dyingToo.insert(channel, scene.pool.allocator, key, key.length, 32, guard));
        scene.channel.dieAfter(10);
        dies(() -> scene.put(keyElsewhere, 48));
        scene.survivor.repair(
            scene.pool.channel, scene.pool.allocator, DEAD, each -> each == DEAD_TOO);
        scene.survivor.repair(scene.pool.channel, scene.pool.allocator, DEAD_TOO);
        checkAfterDeath(scene, List.of(key, keyElsewhere));
        if (!died) {
          assertTrue(verbs > 2, "verbs=" + verbs);
          return;
        }
      }
    }
    throw new AssertionError("more verbs than expected");
  }

  private static boolean dies(Runnable operation) {
    try {
      operation.run();
      return false;
    } catch (DyingChannel.Death e) {
      return true;
    }
  }

  private static Scene withEmptyLeaf(int leaf) {
    Scene scene = filled(fullLeaf() * 4);
    LeafCursor cursor = new LeafCursor(scene.survivor);
    cursor.seek(scene.pool.channel, new byte[0], 0, true, ScanDirection.ASCENDING, guard);
    for (int i = 0; i < leaf; i++) {
      cursor.nextLeaf(scene.pool.channel);
    }
    for (int i = 0; i < cursor.count(); i++) {
      scene.take(TreePool.key(TreePool.number(cursor.keyBytes(), cursor.keyOffset(i))));
    }
    return scene;
  }

  private static void tidy(Scene scene) {
    int removed = scene.dying.removeEmptyLeaves(scene.channel, scene.pool.allocator, guard, 100);
    assertTrue(removed > 0);
  }

  /** Returns the number of keys that fill a leaf completely. */
  private static int fullLeaf() {
    try (Scene scene = new Scene()) {
      int count = 0;
      while (scene.survivor.statistics(scene.pool.channel).leaves() == 1) {
        scene.put(TreePool.key(count++ * 100L), 16);
      }
      return count - 1;
    }
  }

  /** Returns the number of long keys after which one more makes a tree with the given property. */
  private static int longKeysBefore(Predicate<TreeStatistics> reached) {
    try (Scene scene = new Scene()) {
      int count = 0;
      while (!reached.test(scene.survivor.statistics(scene.pool.channel))) {
        scene.put(longKey(count++), 16);
      }
      return count - 1;
    }
  }

  /**
   * Returns a key of maximum length. Groups of three successive keys differ only in the last byte,
   * so that separators are long too.
   */
  private static byte[] longKey(int number) {
    byte[] key = new byte[OrderedIndex.KEY_LENGTH_MAX];
    Arrays.fill(key, (byte) (number * 37));
    System.arraycopy(TreePool.key(number / 3), 0, key, 0, 8);
    key[key.length - 1] = (byte) number;
    Arrays.fill(key, 8, key.length - 1, (byte) 0);
    return key;
  }
}
