package org.nelumbo.dm.index.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.layout.HashSegmentLayout;

/**
 * A split and another operation, interleaved verb by verb in every way that matters. Every test first finds out how many steps an undisturbed split has, and leaves
 * out most of the READs of the entries' keys, which are all alike.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SplitInterleavingTest {
  /** A segment that the next insert splits. */
  private static final class Scene implements AutoCloseable {
    final TestPool pool = new TestPool(1, 2L << 20);
    final HashIndex index = pool.create();
    final long[] cvts;
    final long trigger;
    Actor splitter;

    Scene(int count) {
      cvts = new long[count];
      for (int i = 0; i < count; i++) {
        cvts[i] = pool.cvt(key(i));
        assertTrue(index.insert(pool.channel, pool.allocator, key(i), cvts[i]));
      }
      trigger = key(count);
    }

    static long key(int i) {
      return 1000 + i;
    }

    long segments() {
      return pool.allocator.liveBytes(HashSegmentLayout.SIZE_CLASS) / HashSegmentLayout.LENGTH;
    }

    /** An actor with an index object of its own. The body is given both. */
    Actor actor(int owner, int readPiece, int writePiece, IndexBody body) {
      HashIndex[] own = new HashIndex[1];
      Actor actor = new Actor(pool.fabric.openChannel(TestPool.STAGING), readPiece, writePiece, channel -> body.run(own[0], channel));
      own[0] = new HashIndex(actor.environment(), index.root(), pool.clock::get, owner);
      own[0].load(pool.channel);
      return actor;
    }

    Actor startSplit() {
      long cvt = pool.cvt(trigger);
      splitter = actor(7, 1 << 20, 2048, (own, channel) -> assertTrue(own.insert(channel, pool.allocator, trigger, cvt)));
      return splitter;
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  private interface IndexBody {
    void run(HashIndex index, Channel channel);
  }

  private static final int ENTRIES = entriesBeforeSplit();

  private static int entriesBeforeSplit() {
    try (Scene scene = new Scene(0)) {
      for (int count = 0; ; count++) {
        scene.index.insert(scene.pool.channel, scene.pool.allocator, Scene.key(count), scene.pool.cvt(Scene.key(count)));
        if (scene.segments() > 1) {
          return count;
        }
      }
    }
  }

  /** The steps of a split after which others get a turn. */
  private static List<Integer> pauses() {
    int steps = 0;
    try (Scene scene = new Scene(ENTRIES)) {
      for (Actor split = scene.startSplit(); !split.isFinished(); steps++) {
        split.step(1);
      }
      assertEquals(2, scene.segments());
    }
    List<Integer> pauses = new ArrayList<>();
    for (int i = 0; i < steps; i += i > 8 && i < steps - 50 ? 40 : 1) {
      pauses.add(i);
    }
    return pauses;
  }

  @Test
  void shouldNotLoseAnInsertWhateverASplitDoesMeanwhile() {
    long key = 77;
    for (int pause : pauses()) {
      for (int before = 0; before <= 5; before++) {
        for (int during = 1; during <= 5; during += 2) {
          try (Scene scene = new Scene(ENTRIES)) {
            long cvt = scene.pool.cvt(key);
            Actor split = scene.startSplit();
            Actor insert = scene.actor(3, 64, 64, (own, channel) -> assertTrue(own.insert(channel, scene.pool.allocator, key, cvt)));
            insert.step(before);
            split.step(pause);
            insert.step(during);
            finishBoth(split, insert);
            assertTrue(TestPool.finds(scene.index, scene.pool.channel, key, cvt), "lost pause=" + pause + " before=" + before + " during=" + during);
            assertEquals(ENTRIES + 2, scene.index.verify(scene.pool.channel));
          }
        }
      }
    }
  }

  @Test
  void shouldNotReviveARemovedEntryWhateverASplitDoesMeanwhile() {
    for (int pause : pauses()) {
      for (int before = 0; before <= 5; before++) {
        for (int during = 1; during <= 5; during += 4) {
          try (Scene scene = new Scene(ENTRIES)) {
            int victim = (pause * 7 + before) % ENTRIES;
            Actor split = scene.startSplit();
            Actor remove = scene.actor(3, 64, 64, (own, channel) -> assertTrue(own.remove(channel, Scene.key(victim), scene.cvts[victim])));
            remove.step(before);
            split.step(pause);
            remove.step(during);
            finishBoth(split, remove);
            assertFalse(scene.index.contains(scene.pool.channel, Scene.key(victim), scene.cvts[victim]), "revived pause=" + pause + " before=" + before);
            assertEquals(ENTRIES, scene.index.verify(scene.pool.channel));
          }
        }
      }
    }
  }

  private static void finishBoth(Actor split, Actor other) {
    while (!split.isFinished() || !other.isFinished()) {
      split.run();
      other.run();
    }
  }

  @Test
  void shouldNeverMissAnEntryInAWindowTornByASplit() {
    // A lookup that is cut into words, with the whole rest of a split in one of the cuts.
    for (int cut = 0; cut <= 16; cut++) {
      for (int pause : List.of(0, ENTRIES, Integer.MAX_VALUE)) {
        try (Scene scene = new Scene(ENTRIES)) {
          Actor split = scene.startSplit();
          split.step(Math.min(pause, pauses().getLast() - 12));
          List<Actor> lookups = new ArrayList<>();
          for (int i = 0; i < ENTRIES; i += 7) {
            lookups.add(lookup(scene, i));
            lookups.getLast().step(cut);
          }
          split.finish();
          lookups.forEach(Actor::close);
        }
      }
    }
  }

  @Test
  void shouldFindEveryEntryAtEveryStepOfASplit() {
    for (int pause : pauses()) {
      try (Scene scene = new Scene(ENTRIES)) {
        Actor split = scene.startSplit();
        split.step(pause);
        List<Actor> blocked = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i += 5) {
          Actor lookup = lookup(scene, i);
          if (!lookup.run()) {
            assertTrue(lookup.isBlocked());
            blocked.add(lookup);
          } else {
            lookup.close();
          }
        }
        split.finish();
        blocked.forEach(Actor::close);
      }
    }
  }

  private static Actor lookup(Scene scene, int i) {
    return scene.actor(3, 8, 8, (own, channel) -> assertTrue(TestPool.finds(own, channel, Scene.key(i), scene.cvts[i]), "missed i=" + i));
  }

  @Test
  void shouldNotHideAnInsertIntoTheNewSegmentFromAReaderOfTheOldOne() {
    // The split stops in the middle of overwriting the old segment; who looks at its new lines is led to the new segment and inserts there.
    int waited = 0;
    for (int pause : pauses()) {
      try (Scene scene = new Scene(ENTRIES)) {
        Actor split = scene.startSplit();
        split.step(pause);
        List<Actor> waiting = new ArrayList<>();
        for (long key = 5000; key < 5020; key++) {
          long inserted = key;
          long cvt = scene.pool.cvt(key);
          Actor insert = scene.actor(3, 1 << 20, 8, (own, channel) -> insertWellInformed(own, channel, scene, inserted, cvt));
          if (insert.run()) {
            Actor reader = scene.actor(4, 1 << 20, 8, (own, channel) -> assertTrue(TestPool.finds(own, channel, inserted, cvt), "hidden key=" + inserted));
            waiting.add(reader);
            reader.run();
          } else {
            waited++;
          }
          waiting.add(insert);
        }
        split.finish();
        waiting.forEach(Actor::close);
        assertEquals(ENTRIES + 21, scene.index.verify(scene.pool.channel));
      }
    }
    assertTrue(waited > 0, "no insert ever had to wait");
  }

  /** Inserts after having looked at so many keys that the split, as far as it has got, is known. */
  private static void insertWellInformed(HashIndex own, Channel channel, Scene scene, long key, long cvt) {
    int mark = channel.mark();
    for (int i = 0; i < ENTRIES; i += 3) {
      int ticket = own.postLookup(channel, Scene.key(i));
      channel.flush();
      own.collect(channel, ticket, Scene.key(i), new long[16]);
      channel.release(mark);
    }
    assertTrue(own.insert(channel, scene.pool.allocator, key, cvt));
  }

  @Test
  void shouldScanEveryEntryOnceWhereverASplitStands() {
    for (int pause : pauses()) {
      for (int cut = 0; cut < 9; cut++) {
        try (Scene scene = new Scene(ENTRIES)) {
          Actor split = scene.startSplit();
          split.step(pause);
          List<Long> seen = new ArrayList<>();
          Actor scan =
              scene.actor(
                  3,
                  1024,
                  8,
                  (own, channel) -> {
                    HashCursor cursor = own.newCursor();
                    for (int n = cursor.next(channel); n > 0; n = cursor.next(channel)) {
                      for (int i = 0; i < n; i++) {
                        seen.add(cursor.cvt(i));
                      }
                    }
                  });
          scan.step(cut);
          finishBoth(split, scan);
          assertEquals(seen.size(), seen.stream().distinct().count());
          for (long cvt : scene.cvts) {
            assertTrue(seen.contains(cvt), "missed pause=" + pause);
          }
        }
      }
    }
  }
}
