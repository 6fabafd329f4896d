package org.nelumbo.dm.index.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.HashSegmentLayout;

/** A coordinator dies after every single verb of an insert that grows the index; others go on, and repair what it left. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SplitRepairTest {
  private static final int DEAD = 9;
  private static final int SURVIVOR = 2;

  /** An index whose next insert of {@link #trigger} grows a segment, and what is in it. */
  private static final class Scene implements AutoCloseable {
    final TestPool pool;
    final HashIndex index;
    final Map<Long, Long> entries = new HashMap<>();
    long trigger;
    long triggerCvt;

    Scene(int nodes) {
      pool = new TestPool(nodes, 4L << 20);
      index = pool.create();
    }

    /** Up to the insert that makes the number of segments grow; with some chains of equal keys to carry along. */
    static Scene beforeSplit(int segments, int nodes) {
      Scene scene = new Scene(nodes);
      for (int i = 0; i < 40; i++) {
        scene.add(scene.pool.cvt(5), 5);
      }
      int needed = insertsUntil(segments, nodes);
      for (long key = 1000; key < 1000 + needed; key++) {
        scene.add(scene.pool.cvt(key), key);
      }
      scene.trigger = 1000L + needed;
      scene.triggerCvt = scene.pool.cvt(scene.trigger);
      return scene;
    }

    private static int insertsUntil(int segments, int nodes) {
      try (Scene probe = new Scene(nodes)) {
        for (int i = 0; i < 40; i++) {
          probe.add(probe.pool.cvt(5), 5);
        }
        for (int count = 0; ; count++) {
          probe.add(probe.pool.cvt(1000 + count), 1000 + count);
          if (probe.pool.allocator.liveBytes(HashSegmentLayout.SIZE_CLASS) > (long) segments * HashSegmentLayout.LENGTH) {
            return count;
          }
        }
      }
    }

    void add(long cvt, long key) {
      assertTrue(index.insert(pool.channel, pool.allocator, key, cvt));
      entries.put(cvt, key);
    }

    void assertComplete(HashIndex reader) {
      entries.forEach((cvt, key) -> assertTrue(TestPool.finds(reader, pool.channel, key, cvt), "lost key=" + key));
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void shouldFinishOrUndoASplitStoppedAfterAnyVerb(int segments) {
    int crashes = 0;
    boolean crashed = true;
    for (int verbs = 0; crashed; verbs++) {
      try (Scene scene = Scene.beforeSplit(segments, segments == 2 ? 3 : 1)) {
        crashed = crash(scene, verbs, false);
        HashIndex reader = scene.pool.open(scene.index.root(), SURVIVOR);
        scene.assertComplete(scene.index);
        scene.assertComplete(reader);
        repairAndCheck(scene, reader);
      }
      crashes += crashed ? 1 : 0;
      // The READs of the entries' keys are all alike: look at a few of them only.
      verbs += verbs > 20 && verbs < 700 ? 100 : 0;
    }
    assertTrue(crashes > 25, "crashes=" + crashes);
  }

  @Test
  void shouldFinishASplitWhoseWritesWereTorn() {
    boolean crashed = true;
    for (int verbs = 600; crashed; verbs++) {
      try (Scene scene = Scene.beforeSplit(1, 1)) {
        crashed = crash(scene, verbs, true);
        repairAndCheck(scene, scene.pool.open(scene.index.root(), SURVIVOR));
      }
    }
  }

  @Test
  void shouldRepairWhatARepairerLeft() {
    for (int verbs = 800; verbs < 840; verbs++) {
      for (int repairVerbs = 0; repairVerbs < 60; repairVerbs += 1 + verbs % 3) {
        try (Scene scene = Scene.beforeSplit(1, 1)) {
          crash(scene, verbs, false);
          HashIndex second = scene.pool.open(scene.index.root(), 3);
          CrashingChannel dying = new CrashingChannel(scene.pool.channel, true);
          dying.crashAfter(repairVerbs);
          try {
            second.repair(dying, scene.pool.allocator, DEAD);
          } catch (CrashingChannel.Crash expected) {
            assertEquals(0, dying.mark() & 7);
          }
          HashIndex reader = scene.pool.open(scene.index.root(), SURVIVOR);
          reader.repair(scene.pool.channel, scene.pool.allocator, 3);
          repairAndCheck(scene, reader);
        }
      }
    }
  }

  @Test
  void shouldFinishAnExtensionStoppedAfterAnyVerb() {
    boolean crashed = true;
    for (int verbs = 0; crashed; verbs++) {
      try (Scene scene = new Scene(2)) {
        for (int i = 0; i < 30; i++) {
          scene.add(scene.pool.cvt(5), 5);
        }
        scene.trigger = 5;
        scene.triggerCvt = scene.pool.cvt(5);
        crashed = crash(scene, verbs, false);
        HashIndex reader = scene.pool.open(scene.index.root(), SURVIVOR);
        scene.assertComplete(reader);
        repairAndCheck(scene, reader);
      }
    }
  }

  @Test
  void shouldSayWhoIsInTheWay() {
    try (Scene scene = Scene.beforeSplit(1, 1)) {
      assertTrue(crash(scene, 50, false));
      HashIndex impatient = new HashIndex(new ImpatientEnvironment(), scene.index.root(), () -> 1, SURVIVOR);
      SegmentLatchedException refused =
          assertThrows(
              SegmentLatchedException.class,
              () -> impatient.insert(scene.pool.channel, scene.pool.allocator, scene.trigger, scene.triggerCvt));
      assertEquals(DEAD, refused.owner());
      assertEquals(0, scene.pool.channel.mark());
      assertEquals(0, impatient.repair(scene.pool.channel, scene.pool.allocator, 1));
      assertEquals(1, impatient.repair(scene.pool.channel, scene.pool.allocator, DEAD));
      assertTrue(impatient.insert(scene.pool.channel, scene.pool.allocator, scene.trigger, scene.triggerCvt));
    }
  }

  /** The doomed coordinator's insert; whether it died of it. */
  private static boolean crash(Scene scene, int verbs, boolean tearing) {
    CrashingChannel dying = new CrashingChannel(scene.pool.channel, tearing);
    HashIndex doomed = scene.pool.open(scene.index.root(), DEAD);
    assertTrue(TestPool.finds(doomed, dying, 5, anyCvtOf5(scene)));
    dying.crashAfter(verbs);
    try {
      assertTrue(doomed.insert(dying, scene.pool.allocator, scene.trigger, scene.triggerCvt));
      return false;
    } catch (CrashingChannel.Crash expected) {
      return true;
    } finally {
      scene.pool.channel.release(0);
    }
  }

  private static long anyCvtOf5(Scene scene) {
    return scene.entries.entrySet().stream().filter(e -> e.getValue() == 5).findFirst().orElseThrow().getKey();
  }

  private static void repairAndCheck(Scene scene, HashIndex survivor) {
    PoolAllocator allocator = scene.pool.allocator;
    survivor.repair(scene.pool.channel, allocator, DEAD);
    assertEquals(0, survivor.repair(scene.pool.channel, allocator, DEAD));
    scene.assertComplete(survivor);
    scene.assertComplete(scene.index);
    assertTrue(survivor.insert(scene.pool.channel, allocator, scene.trigger, scene.triggerCvt));
    assertEquals(scene.entries.size() + 1, survivor.verify(scene.pool.channel));
    List<Long> later = new ArrayList<>();
    for (long key = 500_000; key < 501_000; key++) {
      long cvt = scene.pool.cvt(key);
      assertTrue(survivor.insert(scene.pool.channel, allocator, key, cvt));
      later.add(cvt);
    }
    assertEquals(scene.entries.size() + 1 + later.size(), survivor.verify(scene.pool.channel));
  }
}
