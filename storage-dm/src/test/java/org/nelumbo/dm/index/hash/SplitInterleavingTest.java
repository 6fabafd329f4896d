package org.nelumbo.dm.index.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.pool.Channel;

/**
 * Tests the relevant interleavings of a split and another operation, verb by verb. Each test first
 * counts the steps of an undisturbed split, and skips most of the READs of the keys of entries,
 * which are all alike.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SplitInterleavingTest {
  private static final int WHOLE = 1 << 20;
  private static final int LINE = 64;
  private static final int WORD = 8;

  private final TestPool pool = new TestPool(1, 512L << 20);
  private final Deque<Channel> channels = new ArrayDeque<>();
  private final Map<Long, Long> cvtOfKey = new HashMap<>();
  private final int entries = entriesBeforeSplit();

  @AfterEach
  void close() {
    channels.forEach(Channel::close);
    pool.close();
  }

  /** Returns the CVT of a key. It is the same in all scenes, since the index reads only its key. */
  private long cvt(long key) {
    return cvtOfKey.computeIfAbsent(key, pool::cvt);
  }

  private static long key(int i) {
    return 1000L + i;
  }

  private interface IndexBody {
    void run(HashIndex index, Channel channel);
  }

  /** An index of one segment that contains the first keys. */
  private final class Scene {
    final HashIndex index = pool.create();
    private final int count;

    Scene(int count) {
      this.count = count;
      for (int i = 0; i < count; i++) {
        assertTrue(index.insert(pool.channel, pool.allocator, key(i), cvt(key(i))));
      }
    }

    /** Creates an actor with its own index object; the body receives both. */
    Actor actor(int owner, int readPiece, int writePiece, IndexBody body) {
      if (channels.isEmpty()) {
        channels.push(pool.fabric.openChannel(16 << 10));
      }
      HashIndex[] own = new HashIndex[1];
      Actor actor =
          new Actor(channels, readPiece, writePiece, channel -> body.run(own[0], channel));
      own[0] = new HashIndex(actor.environment(), index.root(), _ -> pool.clock.get(), owner);
      own[0].load(pool.channel);
      return actor;
    }

    Actor insert(int owner, int readPiece, int writePiece, long key) {
      long cvt = cvt(key);
      return actor(
          owner,
          readPiece,
          writePiece,
          (own, channel) -> assertTrue(own.insert(channel, pool.allocator, key, cvt)));
    }

    /** Inserts an entry into the window that a preceding lookup has read. */
    Actor insertAfterLookup(int owner, int readPiece, int writePiece, long key) {
      long cvt = cvt(key);
      return actor(
          owner,
          readPiece,
          writePiece,
          (own, channel) ->
              assertTrue(TestPool.insertAfterLookup(own, channel, pool.allocator, key, cvt)));
    }

    /**
     * Inserts the key that splits the segment. The copies of the lines of the segment take four
     * steps.
     */
    Actor split() {
      return insert(7, WHOLE, 2048, key(count));
    }

    /** Looks up a key with a READ of 16 steps. */
    Actor lookup(int i) {
      return find(WORD, key(i));
    }

    Actor find(int readPiece, long key) {
      long cvt = cvt(key);
      return actor(
          3,
          readPiece,
          WHOLE,
          (own, channel) ->
              assertTrue(TestPool.finds(own, channel, key, cvt), "missed key=" + key));
    }
  }

  private int entriesBeforeSplit() {
    Scene scene = new Scene(0);
    int count = 0;
    for (; scene.index.statistics(pool.channel).segments() == 1; count++) {
      assertTrue(scene.index.insert(pool.channel, pool.allocator, key(count), cvt(key(count))));
    }
    return count - 1;
  }

  private int steps() {
    Scene scene = new Scene(entries);
    int steps = 0;
    try (Actor split = scene.split()) {
      for (; !split.isFinished(); steps++) {
        split.step(1);
      }
    }
    assertEquals(2, scene.index.statistics(pool.channel).segments());
    return steps;
  }

  /** Returns the steps of a split after which other actors run. */
  private List<Integer> pauses() {
    int steps = steps();
    List<Integer> pauses = new ArrayList<>();
    for (int i = 0; i < steps; i += i > 8 && i < steps - 45 ? 100 : 1) {
      pauses.add(i);
    }
    return pauses;
  }

  private static void finishBoth(Actor split, Actor other) {
    while (!split.isFinished() || !other.isFinished()) {
      split.run();
      other.run();
    }
    split.close();
    other.close();
  }

  @Test
  void shouldNotLoseInsertDuringSplit() {
    for (int pause : pauses()) {
      for (int before = 0; before <= 5; before++) {
        for (int during = 1; during <= 5; during += 2) {
          Scene scene = new Scene(entries);
          checkInsert(scene, scene.insert(3, LINE, WHOLE, 77), pause, before, during);
          scene = new Scene(entries);
          checkInsert(scene, scene.insertAfterLookup(3, LINE, WHOLE, 77), pause, before, during);
        }
      }
    }
  }

  private void checkInsert(Scene scene, Actor insert, int pause, int before, int during) {
    Actor split = scene.split();
    insert.step(before);
    split.step(pause);
    insert.step(during);
    finishBoth(split, insert);
    assertTrue(
        TestPool.finds(scene.index, pool.channel, 77, cvt(77)),
        "lost pause=" + pause + " before=" + before + " during=" + during);
    assertEquals(entries + 2, scene.index.verify(pool.channel));
  }

  @Test
  void shouldNotReviveRemovedEntryDuringSplit() {
    for (int pause : pauses()) {
      for (int before = 0; before <= 5; before++) {
        for (int during = 1; during <= 5; during += 2) {
          long victim = key((pause * 7 + before) % entries);
          Scene scene = new Scene(entries);
          Actor split = scene.split();
          Actor remove =
              scene.actor(
                  3,
                  LINE,
                  WHOLE,
                  (own, channel) -> assertTrue(own.remove(channel, victim, cvt(victim))));
          remove.step(before);
          split.step(pause);
          remove.step(during);
          finishBoth(split, remove);
          assertFalse(
              scene.index.contains(pool.channel, victim, cvt(victim)),
              "revived pause=" + pause + " before=" + before + " during=" + during);
          assertEquals(entries, scene.index.verify(pool.channel));
        }
      }
    }
  }

  @Test
  void shouldNeverMissAnEntryInAWindowTornByASplit() {
    // Lookups are split into words, and the whole remainder of a split runs between two of their
    // words.
    int beforeOverwriting = steps() - 12;
    for (int cut = 0; cut <= 16; cut++) {
      for (int pause : List.of(0, entries, beforeOverwriting)) {
        Scene scene = new Scene(entries);
        List<Actor> lookups = new ArrayList<>();
        try (Actor split = scene.split()) {
          split.step(pause);
          for (int i = 0; i < entries; i += 7) {
            lookups.add(scene.lookup(i));
            lookups.getLast().step(cut);
          }
        }
        lookups.forEach(Actor::close);
      }
    }
  }

  @Test
  void shouldFindEveryEntryAtEveryStepOfASplit() {
    for (int pause : pauses()) {
      Scene scene = new Scene(entries);
      List<Actor> lookups = new ArrayList<>();
      try (Actor split = scene.split()) {
        split.step(pause);
        for (int i = 0; i < entries; i += 5) {
          Actor lookup = scene.lookup(i);
          assertTrue(lookup.run() || lookup.isBlocked());
          lookups.add(lookup);
        }
      }
      lookups.forEach(Actor::close);
    }
  }

  @Test
  void shouldNotHideAnInsertIntoTheNewSegmentFromAReaderOfTheOldOne() {
    // The split pauses while it overwrites the old segment. An insert that reads the new lines of
    // the old segment is directed to the new segment and inserts there.
    int waited = 0;
    for (int pause : pauses()) {
      Scene scene = new Scene(entries);
      List<Actor> others = new ArrayList<>();
      try (Actor split = scene.split()) {
        split.step(pause);
        for (long key = 5000; key < 5020; key++) {
          Actor insert = insertWellInformed(scene, key);
          others.add(insert);
          if (insert.run()) {
            others.add(scene.find(WHOLE, key));
            others.getLast().run();
          } else {
            waited++;
          }
        }
      }
      others.forEach(Actor::close);
      assertEquals(entries + 21, scene.index.verify(pool.channel));
    }
    assertTrue(waited > 0, "no insert ever had to wait");
  }

  /** Inserts a key after lookups of so many keys that the progress of the split is known. */
  private Actor insertWellInformed(Scene scene, long key) {
    long cvt = cvt(key);
    return scene.actor(
        3,
        WHOLE,
        WHOLE,
        (own, channel) -> {
          int mark = channel.mark();
          for (int i = 0; i < entries; i += 3) {
            int ticket = own.postLookup(channel, key(i));
            channel.flush();
            own.collect(channel, ticket, key(i), new long[HashIndex.USUAL_CANDIDATES]);
            channel.release(mark);
          }
          assertTrue(own.insert(channel, pool.allocator, key, cvt));
        });
  }

  @Test
  void shouldScanEveryEntryOnceWhereverASplitStands() {
    for (int pause : pauses()) {
      for (int cut = 0; cut < 9; cut++) {
        Scene scene = new Scene(entries);
        Actor split = scene.split();
        split.step(pause);
        Set<Long> seen = new HashSet<>();
        Actor scan =
            scene.actor(3, 1024, WHOLE, (own, channel) -> scan(own.newCursor(), channel, seen));
        scan.step(cut);
        finishBoth(split, scan);
        for (int i = 0; i < entries; i++) {
          assertTrue(seen.contains(cvt(key(i))), "missed pause=" + pause + " cut=" + cut);
        }
      }
    }
  }

  private static void scan(HashCursor cursor, Channel channel, Set<Long> seen) {
    for (int n = cursor.next(channel); n > 0; n = cursor.next(channel)) {
      for (int i = 0; i < n; i++) {
        assertTrue(seen.add(cursor.cvt(i)), "returned twice");
      }
    }
  }
}
