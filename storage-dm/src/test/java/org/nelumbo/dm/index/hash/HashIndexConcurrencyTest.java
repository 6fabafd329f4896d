package org.nelumbo.dm.index.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.pool.Channel;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HashIndexConcurrencyTest {
  private final TestPool pool = new TestPool(2, 64L << 20);
  private final HashIndex index = pool.create();
  private final HashIndex elsewhere = pool.open(index.root(), 2);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @AfterEach
  void close() {
    pool.close();
  }

  /** The operations of a thread on its own channel and allocator. */
  private interface Body {
    void run(Channel channel, PoolAllocator allocator);
  }

  private Thread start(Body body) {
    Thread thread =
        pool.environment.thread(
            "test",
            () -> {
              try (Channel channel = pool.fabric.openChannel(TestPool.STAGING);
                  PoolAllocator allocator = pool.chunks.newAllocator(channel)) {
                body.run(channel, allocator);
                assertEquals(0, channel.mark());
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              }
            });
    thread.start();
    return thread;
  }

  private void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    assertNull(failure.get());
  }

  private static long key(long i) {
    return (i << 12) | (i & 3);
  }

  @Test
  void shouldNeverMissAPresentKeyWhileTheIndexGrows() throws InterruptedException {
    int keys = 60_000;
    AtomicLongArray cvts = new AtomicLongArray(keys);
    AtomicBoolean done = new AtomicBoolean();
    List<Thread> readers = new ArrayList<>();
    for (int r = 0; r < 2; r++) {
      HashIndex reading = r == 0 ? index : elsewhere;
      int seed = r;
      readers.add(
          start((channel, allocator) -> readPresentKeys(reading, channel, cvts, done, seed)));
    }
    List<Thread> writers = new ArrayList<>();
    for (int w = 0; w < 2; w++) {
      int first = w;
      HashIndex writing = w == 0 ? index : elsewhere;
      writers.add(
          start(
              (channel, allocator) -> {
                for (int i = first; i < keys; i += 2) {
                  long cvt = TestPool.cvt(channel, allocator, key(i));
                  assertTrue(TestPool.insertAfterLookup(writing, channel, allocator, key(i), cvt));
                  cvts.set(i, cvt);
                }
              }));
    }
    join(writers);
    done.set(true);
    join(readers);
    assertEquals(keys, index.verify(pool.channel));
  }

  private void readPresentKeys(
      HashIndex reading, Channel channel, AtomicLongArray cvts, AtomicBoolean done, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    while (!done.get() && failure.get() == null) {
      int i = random.nextInt(cvts.length());
      long cvt = cvts.get(i);
      if (cvt != 0) {
        assertTrue(TestPool.finds(reading, channel, key(i), cvt), "missed key i=" + i);
      }
    }
  }

  @Test
  void shouldKeepOwnKeysOfEachThreadConsistent() throws InterruptedException {
    int perThread = 12_000;
    List<Thread> threads = new ArrayList<>();
    AtomicLongArray finalCvts = new AtomicLongArray(3 * perThread);
    for (int t = 0; t < 3; t++) {
      int thread = t;
      HashIndex own = t == 1 ? elsewhere : index;
      threads.add(
          start((channel, allocator) -> changeOwnKeys(own, channel, allocator, thread, finalCvts)));
    }
    join(threads);
    int present = 0;
    for (int i = 0; i < finalCvts.length(); i++) {
      if (finalCvts.get(i) != 0) {
        present++;
        assertTrue(TestPool.finds(index, pool.channel, key(i), finalCvts.get(i)));
      } else {
        assertEquals(0, countOf(key(i)));
      }
    }
    assertEquals(present, index.verify(pool.channel));
  }

  /** Returns the number of candidates whose CVT has exactly that key. */
  private int countOf(long key) {
    long[] out = new long[HashIndex.USUAL_CANDIDATES];
    int count = index.lookup(pool.channel, key, out);
    int right = 0;
    for (int i = 0; i < count; i++) {
      right += TestPool.word(pool.channel, out[i]) == key ? 1 : 0;
    }
    return right;
  }

  private void changeOwnKeys(
      HashIndex own, Channel channel, PoolAllocator allocator, int thread, AtomicLongArray cvts) {
    SplittableRandom random = new SplittableRandom(thread);
    int keys = cvts.length() / 3;
    for (int step = 0; step < 30_000; step++) {
      int i = random.nextInt(keys) * 3 + thread;
      long cvt = cvts.get(i);
      if (cvt == 0) {
        long created = TestPool.cvt(channel, allocator, key(i));
        assertTrue(TestPool.insertAfterLookup(own, channel, allocator, key(i), created));
        assertTrue(own.contains(channel, key(i), created));
        cvts.set(i, created);
      } else if (random.nextInt(3) == 0) {
        assertTrue(own.remove(channel, key(i), cvt), "removed by somebody else i=" + i);
        cvts.set(i, 0);
      } else {
        assertTrue(own.contains(channel, key(i), cvt), "missed i=" + i);
      }
    }
  }

  @Test
  void shouldScanStableEntriesOnceDuringInserts() throws InterruptedException {
    Set<Long> staying = new HashSet<>();
    for (int i = 0; i < 5_000; i++) {
      long cvt = pool.cvt(key(i));
      index.insert(pool.channel, pool.allocator, key(i), cvt);
      staying.add(cvt);
    }
    AtomicBoolean done = new AtomicBoolean();
    Thread writer =
        start(
            (channel, allocator) -> {
              for (int i = 5_000; i < 200_000 && !done.get(); i++) {
                assertTrue(
                    index.insert(
                        channel, allocator, key(i), TestPool.cvt(channel, allocator, key(i))));
              }
            });
    for (int round = 0; round < 12; round++) {
      Set<Long> seen = new HashSet<>();
      HashCursor cursor = (round % 2 == 0 ? index : elsewhere).newCursor();
      for (int count = cursor.next(pool.channel); count > 0; count = cursor.next(pool.channel)) {
        for (int i = 0; i < count; i++) {
          assertTrue(seen.add(cursor.cvt(i)), "returned twice");
        }
      }
      assertTrue(seen.containsAll(staying));
    }
    done.set(true);
    join(List.of(writer));
  }

  @Test
  void shouldReturnAllEqualKeysWhileTheyAreAdded() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      long equal = 77L + t;
      HashIndex own = t == 1 ? elsewhere : index;
      threads.add(
          start(
              (channel, allocator) -> {
                List<Long> cvts = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                  long cvt = TestPool.cvt(channel, allocator, equal);
                  assertTrue(own.insert(channel, allocator, equal, cvt));
                  cvts.add(cvt);
                  for (long known : cvts) {
                    assertTrue(TestPool.finds(own, channel, equal, known));
                  }
                }
              }));
    }
    join(threads);
    assertEquals(3 * 64, index.verify(pool.channel));
  }
}
