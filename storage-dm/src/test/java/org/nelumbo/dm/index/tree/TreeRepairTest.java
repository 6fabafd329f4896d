package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.index.LeafGuard;

/**
 * A compute node dies before each verb of an operation in turn. After the repair nothing is lost,
 * the tree is as it has to be, and the survivor can write everywhere.
 */
@Timeout(300)
class TreeRepairTest {
  private static final int DEAD = 7;
  private static final int SURVIVOR = 8;
  private static final int VERBS_MAX = 600;

  /** One tree, its content, and the two compute nodes. */
  private static final class Scene implements AutoCloseable {
    final TreePool pool = new TreePool(16 << 20);
    final DyingChannel channel = new DyingChannel(pool.channel);
    final OrderedIndex dying = pool.open(OrderedIndex.create(pool.channel, pool.allocator), DEAD);
    final OrderedIndex survivor = pool.open(dying.root(), SURVIVOR);
    final TreeMap<byte[], Long> content = new TreeMap<>(Arrays::compareUnsigned);

    void put(byte[] key, long cvt) {
      assertEquals(
          OrderedIndex.INSERTED,
          dying.insert(channel, pool.allocator, key, key.length, cvt, LeafGuard.NONE));
      content.put(key, cvt);
    }

    void take(byte[] key) {
      assertEquals(
          OrderedIndex.REMOVED,
          dying.remove(channel, pool.allocator, key, key.length, content.get(key)));
      content.remove(key);
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  /** Every n keys of eight bytes, so that there is room between them. */
  private static Scene filled(int count) {
    Scene scene = new Scene();
    for (int i = 0; i < count; i++) {
      scene.put(TreePool.key(i * 100L), 16);
    }
    return scene;
  }

  /**
   * Lets the operation die before its first, second, ... verb until it survives; {@code undecided}
   * is the key that may be there or not.
   */
  private static void dieEverywhere(
      Supplier<Scene> start, byte[] undecided, Consumer<Scene> operation) {
    for (int verbs = 0; verbs < VERBS_MAX; verbs++) {
      try (Scene scene = start.get()) {
        scene.channel.dieAfter(verbs);
        boolean died = dies(() -> operation.accept(scene));
        checkAfterDeath(scene, undecided);
        if (!died) {
          assertTrue(verbs > 5, "verbs=" + verbs);
          return;
        }
      }
    }
    throw new AssertionError("more verbs than expected");
  }

  private static void checkAfterDeath(Scene scene, byte[] undecided) {
    Channel channel = scene.pool.channel;
    OrderedIndex index = scene.survivor;
    index.repair(channel, scene.pool.allocator, DEAD);
    long found =
        undecided == null ? PoolAddress.NULL : index.get(channel, undecided, undecided.length);
    if (found != PoolAddress.NULL) {
      scene.content.put(undecided, found);
    } else if (undecided != null) {
      scene.content.remove(undecided);
    }
    assertEquals(scene.content.size(), index.verify(channel));
    scene.content.forEach((key, cvt) -> assertEquals(cvt, index.get(channel, key, key.length)));
    assertEquals(0, index.repair(channel, scene.pool.allocator, DEAD));
    assertUsable(scene);
  }

  /** The survivor inserts and removes everywhere; missing separators are completed by this. */
  private static void assertUsable(Scene scene) {
    scene.pool.horizon.set(scene.pool.clock.incrementAndGet());
    for (int i = -1; i < 600; i++) {
      assertEquals(
          OrderedIndex.INSERTED,
          scene.pool.insert(scene.survivor, TreePool.key(i * 100L + 33), 48));
    }
    assertEquals(scene.content.size() + 601, scene.survivor.verify(scene.pool.channel));
    for (int i = -1; i < 600; i++) {
      assertEquals(
          OrderedIndex.REMOVED, scene.pool.remove(scene.survivor, TreePool.key(i * 100L + 33), 48));
      scene.survivor.tidy(scene.pool.channel, scene.pool.allocator, LeafGuard.NONE, 4);
    }
    assertEquals(scene.content.size(), scene.survivor.verify(scene.pool.channel));
    assertEquals(0, scene.survivor.statistics(scene.pool.channel).missingSeparators());
  }

  @Test
  void shouldSurviveADeathInAnAppend() {
    byte[] key = TreePool.key(99_999);
    dieEverywhere(() -> filled(30), key, scene -> scene.put(key, 32));
  }

  @Test
  void shouldSurviveADeathInAnInsertInTheMiddle() {
    byte[] key = TreePool.key(1_050);
    dieEverywhere(() -> filled(30), key, scene -> scene.put(key, 32));
  }

  @Test
  void shouldSurviveADeathInAnInsertOfAnotherLength() {
    byte[] key = Arrays.copyOf(TreePool.key(1_000), 12);
    dieEverywhere(() -> filled(30), key, scene -> scene.put(key, 32));
  }

  @Test
  void shouldSurviveADeathInARemoval() {
    byte[] key = TreePool.key(1_000);
    dieEverywhere(() -> filled(30), key, scene -> scene.take(key));
  }

  /** The first leaf is full, there is no root above it. */
  @Test
  void shouldSurviveADeathInTheFirstSplit() {
    int full = fullLeaf();
    byte[] key = TreePool.key(1_050);
    dieEverywhere(() -> filled(full), key, scene -> scene.put(key, 32));
  }

  @Test
  void shouldSurviveADeathInALaterSplit() {
    int full = fullLeaf();
    byte[] key = TreePool.key(1_050);
    dieEverywhere(() -> filled(full * 3), key, scene -> scene.put(key, 32));
  }

  /**
   * Long keys make small nodes, so that inner ones split too: as many as it takes until the next
   * insert makes a new root.
   */
  @Test
  void shouldSurviveADeathInSplitsUpToTheRoot() {
    int count = longKeysBeforeHeight(4);
    byte[] key = longKey(count);
    Supplier<Scene> start =
        () -> {
          Scene scene = new Scene();
          for (int i = 0; i < count; i++) {
            scene.put(longKey(i), 16);
          }
          return scene;
        };
    dieEverywhere(start, key, scene -> scene.put(key, 32));
  }

  @Test
  void shouldSurviveADeathInTheRemovalOfALeafInTheMiddle() {
    dieEverywhere(() -> withEmptyLeaf(1), null, TreeRepairTest::tidy);
  }

  @Test
  void shouldSurviveADeathInTheRemovalOfTheFirstLeaf() {
    dieEverywhere(() -> withEmptyLeaf(0), null, TreeRepairTest::tidy);
  }

  /** The last leaf of an inner node, which has no other child left. */
  @Test
  void shouldSurviveADeathInTheRemovalOfAnInnerNode() {
    Supplier<Scene> start =
        () -> {
          Scene scene = new Scene();
          for (int i = 0; i < 80; i++) {
            scene.put(longKey(i), 16);
          }
          for (int i = 0; i < 14; i++) {
            scene.take(longKey(i));
          }
          return scene;
        };
    dieEverywhere(start, null, TreeRepairTest::tidy);
  }

  @Test
  void shouldSurviveADeathInTheRepair() {
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
          checkAfterDeath(scene, null);
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
    LeafCursor cursor = scene.survivor.newCursor();
    cursor.seek(scene.pool.channel, new byte[0], 0, true, true, LeafGuard.NONE);
    for (int i = 0; i < leaf; i++) {
      cursor.nextLeaf(scene.pool.channel);
    }
    for (int i = 0; i < cursor.count(); i++) {
      scene.take(TreePool.key(TreePool.number(cursor.keyBytes(), cursor.keyOffset(i))));
    }
    return scene;
  }

  private static void tidy(Scene scene) {
    int removed = scene.dying.tidy(scene.channel, scene.pool.allocator, LeafGuard.NONE, 100);
    assertTrue(removed > 0);
  }

  /** How many keys fill a leaf to the last one. */
  private static int fullLeaf() {
    try (Scene scene = new Scene()) {
      int count = 0;
      while (scene.survivor.statistics(scene.pool.channel).leaves() == 1) {
        scene.put(TreePool.key(count++ * 100L), 16);
      }
      return count - 1;
    }
  }

  private static int longKeysBeforeHeight(int height) {
    try (Scene scene = new Scene()) {
      int count = 0;
      while (scene.survivor.statistics(scene.pool.channel).height() < height) {
        scene.put(longKey(count++), 16);
      }
      return count - 1;
    }
  }

  /** Differs early from its neighbours, so that separators are long too. */
  private static byte[] longKey(int number) {
    byte[] key = new byte[OrderedIndex.KEY_LENGTH_MAX];
    Arrays.fill(key, (byte) (number * 37));
    System.arraycopy(TreePool.key(number / 3), 0, key, 0, 8);
    key[key.length - 1] = (byte) number;
    Arrays.fill(key, 8, key.length - 1, (byte) 0);
    return key;
  }
}
