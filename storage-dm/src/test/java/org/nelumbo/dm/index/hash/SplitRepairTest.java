package org.nelumbo.dm.index.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.SuperblockLayout;

/**
 * A coordinator crashes after each verb of an insert that grows the index. Other coordinators
 * continue and repair the index.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SplitRepairTest {
  private static final int DEAD = 9;
  private static final int SURVIVOR = 2;

  /** Key with so many CVTs that its window has a chain, which splits have to move. */
  private static final long EQUAL = 5;

  private static final int EQUALS = 40;

  private final TestPool pool = new TestPool(3, 256L << 20);
  private final Map<Long, Long> cvtOfKey = new HashMap<>();
  private final long[] equalCvts = new long[EQUALS];

  SplitRepairTest() {
    for (int i = 0; i < EQUALS; i++) {
      equalCvts[i] = pool.cvt(EQUAL);
    }
  }

  @AfterEach
  void close() {
    pool.close();
  }

  /** Returns the CVT of a key. It is the same in all scenes, since the index reads only its key. */
  private long cvt(long key) {
    return cvtOfKey.computeIfAbsent(key, pool::cvt);
  }

  private static long key(int i) {
    return 1000L + i;
  }

  /** An index that contains some keys. */
  private final class Scene {
    final HashIndex index = pool.create();
    private final int equals;
    private int keys;

    Scene(int equals, int keys) {
      this.equals = equals;
      for (int i = 0; i < equals; i++) {
        assertTrue(index.insert(pool.channel, pool.allocator, EQUAL, equalCvts[i]));
      }
      while (this.keys < keys) {
        assertTrue(insertNext(index));
      }
    }

    boolean insertNext(HashIndex through) {
      long key = key(keys++);
      return through.insert(pool.channel, pool.allocator, key, cvt(key));
    }

    HashIndex open(int owner) {
      return pool.open(index.root(), owner);
    }

    void assertComplete(HashIndex reader) {
      for (int i = 0; i < equals; i++) {
        assertTrue(reader.contains(pool.channel, EQUAL, equalCvts[i]), "lost an equal key");
      }
      for (int i = 0; i < keys; i++) {
        assertTrue(TestPool.finds(reader, pool.channel, key(i), cvt(key(i))), "lost i=" + i);
      }
    }

    /**
     * Inserts the next key with a coordinator that crashes after {@code verbs} verbs; returns false
     * if the insert finishes before.
     */
    boolean crash(int verbs, boolean tearing) {
      CrashingChannel dying = new CrashingChannel(pool.channel, tearing);
      HashIndex doomed = open(DEAD);
      doomed.load(dying);
      dying.crashAfter(verbs);
      long key = key(keys);
      try {
        assertTrue(doomed.insert(dying, pool.allocator, key, cvt(key)));
        return false;
      } catch (CrashingChannel.Crash expected) {
        return true;
      } finally {
        pool.channel.release(0);
      }
    }

    void repairAndCheck(HashIndex survivor) {
      survivor.repair(pool.channel, pool.allocator, DEAD);
      assertEquals(0, survivor.repair(pool.channel, pool.allocator, DEAD));
      assertComplete(survivor);
      assertComplete(index);
      for (int i = 0; i < 400; i++) {
        assertTrue(insertNext(survivor));
      }
      assertEquals(equals + keys, survivor.verify(pool.channel));
    }
  }

  /**
   * Returns the number of keys that fit before the index has more than {@code segments} segments.
   */
  private int keysBeforeSplit(int segments) {
    Scene scene = new Scene(EQUALS, 0);
    while (scene.index.statistics(pool.channel).segments() <= segments) {
      scene.insertNext(scene.index);
    }
    return scene.keys - 1;
  }

  private int verbsOfSplit(int keys) {
    CrashingChannel counting = new CrashingChannel(pool.channel, false);
    Scene scene = new Scene(EQUALS, keys);
    assertTrue(scene.index.insert(counting, pool.allocator, key(keys), cvt(key(keys))));
    return Math.toIntExact(counting.verbs());
  }

  @Test
  void shouldFinishOrUndoASplitStoppedAfterAnyVerb() {
    for (int segments : new int[] {1, 2, 5}) {
      int keys = keysBeforeSplit(segments);
      int last = verbsOfSplit(keys) - 1;
      // The READs of the keys of entries are all alike, so most of them are skipped.
      for (int verbs = 0; verbs <= last; verbs += verbs > 20 && verbs < last - 140 ? 100 : 1) {
        Scene scene = new Scene(EQUALS, keys);
        assertTrue(scene.crash(verbs, false));
        HashIndex survivor = scene.open(SURVIVOR);
        scene.assertComplete(scene.index);
        scene.assertComplete(survivor);
        scene.repairAndCheck(survivor);
      }
      assertFalse(new Scene(EQUALS, keys).crash(last + 1, false));
    }
  }

  @Test
  void shouldUndoSplitOfPreviouslySplitSegment() {
    // Among seven splits in a row at least two are of a segment that contains the intent of an
    // earlier split.
    for (int segments = 1; segments <= 7; segments++) {
      int keys = keysBeforeSplit(segments);
      for (int verbs = 3; verbs < 200; verbs += 60) {
        Scene scene = new Scene(EQUALS, keys);
        assertTrue(scene.crash(verbs, false));
        HashIndex survivor = scene.open(SURVIVOR);
        assertEquals(1, survivor.repair(pool.channel, pool.allocator, DEAD));
        assertEquals(segments, survivor.statistics(pool.channel).segments());
        scene.repairAndCheck(survivor);
      }
    }
  }

  @Test
  void shouldRepairSplitWithTornWrites() {
    int keys = keysBeforeSplit(1);
    int last = verbsOfSplit(keys) - 1;
    for (int verbs = last - 40; verbs <= last; verbs++) {
      Scene scene = new Scene(EQUALS, keys);
      assertTrue(scene.crash(verbs, true));
      scene.repairAndCheck(scene.open(SURVIVOR));
    }
  }

  @Test
  void shouldRepairAfterFailureDuringRepair() {
    int keys = keysBeforeSplit(1);
    int last = verbsOfSplit(keys) - 1;
    for (int verbs = last - 25; verbs <= last; verbs++) {
      for (int repairVerbs = 0; repairVerbs < 30; repairVerbs += 1 + verbs % 3) {
        Scene scene = new Scene(EQUALS, keys);
        assertTrue(scene.crash(verbs, false));
        CrashingChannel dying = new CrashingChannel(pool.channel, true);
        dying.crashAfter(repairVerbs);
        try {
          scene.open(3).repair(dying, pool.allocator, DEAD);
        } catch (CrashingChannel.Crash expected) {
          pool.channel.release(0);
        }
        HashIndex survivor = scene.open(SURVIVOR);
        survivor.repair(pool.channel, pool.allocator, 3);
        scene.repairAndCheck(survivor);
      }
    }
  }

  @Test
  void shouldNotDisturbANewSegmentThatWentOnGrowingBeforeTheRepair() {
    int keys = keysBeforeSplit(1);
    int last = verbsOfSplit(keys) - 1;
    int grown = 0;
    for (int verbs = last - 25; verbs <= last; verbs++) {
      Scene scene = new Scene(EQUALS, keys);
      assertTrue(scene.crash(verbs, false));
      HashIndex impatient =
          new HashIndex(
              new ImpatientEnvironment(), scene.index.root(), _ -> pool.clock.get(), SURVIVOR);
      int added = 0;
      for (long key = 100_000; key < 102_500; key++) {
        added += insertUnlessLatched(impatient, key) ? 1 : 0;
      }
      grown += added >= 900 ? 1 : 0;
      impatient.repair(pool.channel, pool.allocator, DEAD);
      scene.assertComplete(impatient);
      long present = impatient.verify(pool.channel);
      assertTrue(present == EQUALS + keys + added || present == EQUALS + keys + added + 1);
    }
    assertTrue(grown > 0, "the new segment never grew while its parent was latched");
  }

  private boolean insertUnlessLatched(HashIndex impatient, long key) {
    try {
      return impatient.insert(pool.channel, pool.allocator, key, cvt(key));
    } catch (SegmentLatchedException e) {
      assertEquals(DEAD, e.owner());
      return false;
    }
  }

  @Test
  void shouldFinishAnExtensionStoppedAfterAnyVerb() {
    boolean crashed = true;
    for (int verbs = 0; crashed; verbs++) {
      Scene scene = new Scene(30, 0);
      CrashingChannel dying = new CrashingChannel(pool.channel, false);
      HashIndex doomed = scene.open(DEAD);
      doomed.load(dying);
      dying.crashAfter(verbs);
      try {
        assertTrue(doomed.insert(dying, pool.allocator, EQUAL, equalCvts[30]));
        crashed = false;
      } catch (CrashingChannel.Crash expected) {
        pool.channel.release(0);
      }
      HashIndex survivor = scene.open(SURVIVOR);
      scene.assertComplete(survivor);
      survivor.repair(pool.channel, pool.allocator, DEAD);
      assertTrue(survivor.insert(pool.channel, pool.allocator, EQUAL, equalCvts[30]));
      assertEquals(31, survivor.verify(pool.channel));
      assertEquals(2, survivor.statistics(pool.channel).overflowBlocks());
    }
  }

  @Test
  void shouldReportOwnerOfLatchedSegment() {
    Scene scene = new Scene(EQUALS, keysBeforeSplit(1));
    assertTrue(scene.crash(50, false));
    HashIndex impatient =
        new HashIndex(new ImpatientEnvironment(), scene.index.root(), _ -> 1, SURVIVOR);
    long key = key(scene.keys);
    SegmentLatchedException refused =
        assertThrows(
            SegmentLatchedException.class,
            () -> impatient.insert(pool.channel, pool.allocator, key, cvt(key)));
    assertEquals(DEAD, refused.owner());
    assertEquals(0, pool.channel.mark());
    assertEquals(0, impatient.repair(pool.channel, pool.allocator, 1));
    assertEquals(1, impatient.repair(pool.channel, pool.allocator, DEAD));
    assertTrue(impatient.insert(pool.channel, pool.allocator, key, cvt(key)));
  }

  /**
   * The owner of the split may pause for longer than any split takes. It is then fenced and its
   * split is repaired.
   */
  @Test
  void shouldWaitAsLongAsTheOwnerSharesThePool() {
    Scene scene = new Scene(EQUALS, keysBeforeSplit(1));
    assertTrue(scene.crash(50, false));
    long entry = SuperblockLayout.computeNode(3);
    pool.channel.writeLong(entry, DEAD);
    pool.channel.flush();
    int[] backoffs = {0};
    HashIndex survivor = scene.open(SURVIVOR);
    ImpatientEnvironment environment =
        new ImpatientEnvironment(
            () -> {
              if (++backoffs[0] == 100) {
                assertEquals(1, survivor.repair(pool.channel, pool.allocator, DEAD));
                pool.channel.writeLong(entry, 0);
                pool.channel.flush();
              }
            });
    HashIndex waiting = new HashIndex(environment, scene.index.root(), _ -> 1, SURVIVOR);
    long key = key(scene.keys);
    assertTrue(waiting.insert(pool.channel, pool.allocator, key, cvt(key)));
    assertTrue(backoffs[0] >= 100);
    scene.assertComplete(waiting);
  }

  @Test
  void shouldFreeMemoryPublishedByFailedSplit() {
    int keys = keysBeforeSplit(1);
    int last = verbsOfSplit(keys) - 1;
    int leaked = 0;
    for (int verbs = last - 25; verbs <= last; verbs++) {
      Scene scene = new Scene(EQUALS, keys);
      long before = indexBytes() - scene.index.statistics(pool.channel).bytes();
      assertTrue(scene.crash(verbs, false));
      HashIndex survivor = scene.open(SURVIVOR);
      boolean published = survivor.repair(pool.channel, pool.allocator, DEAD) > 0;
      boolean split = survivor.statistics(pool.channel).segments() == 2;
      long leak = indexBytes() - survivor.statistics(pool.channel).bytes() - before;
      if (published && split) {
        assertEquals(0, leak, "verbs=" + verbs);
      }
      leaked += leak != 0 ? 1 : 0;
    }
    assertTrue(leaked > 0, "what was not yet published is the dead allocator's");
  }

  private long indexBytes() {
    return pool.allocator.liveBytes(HashSegmentLayout.SIZE_CLASS)
        + pool.allocator.liveBytes(HashSegmentLayout.BLOCK_SIZE_CLASS);
  }
}
