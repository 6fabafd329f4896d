package org.nelumbo.executor.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.lock.LockMode.READ;
import static org.nelumbo.executor.lock.LockMode.WRITE;
import static org.nelumbo.executor.lock.LockResult.DIE;
import static org.nelumbo.executor.lock.LockResult.GRANTED;
import static org.nelumbo.executor.lock.LockResult.WAIT;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;

/**
 * Tests the lock table with real threads. A separate count of holders must never show an
 * incompatible pair.
 */
@Timeout(120)
class LockTableStressTest {
  private static final int THREADS = 4;
  private static final int KEYS = 24;
  private static final long[] INSIDE = {0, 1, 1L << 16, 1L << 32};

  private final Environment environment = new SystemEnvironment();

  /** Holders of each pair of keys, by mode, 16 bits each. */
  private final AtomicLongArray inside = new AtomicLongArray(KEYS / 2);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 128})
  void shouldNeverLetIncompatibleHoldersIn(int buckets) throws Exception {
    LockTable table = new LockTable(environment, buckets);
    run(seed -> holdAndRelease(table, new SplittableRandom(seed)));
    assertEquals(0, table.heldCount());
    table.verify();
  }

  private void holdAndRelease(LockTable table, SplittableRandom random) {
    int[] keys = new int[6];
    LockMode[] modes = new LockMode[6];
    for (int round = 0; round < 15_000; round++) {
      int held = 0;
      long taken = 0;
      int wanted = 1 + random.nextInt(keys.length);
      for (int i = 0; i < wanted; i++) {
        int key = random.nextInt(KEYS);
        LockMode mode = mode(random);
        boolean mine = (taken & 1L << key / 2) != 0;
        if (!mine && table.tryAcquire(Keys.of(key), mode, round) == GRANTED) {
          enter(key, mode);
          taken |= 1L << key / 2;
          keys[held] = key;
          modes[held++] = mode;
        }
      }
      for (int i = 0; i < held; i++) {
        if (modes[i] == READ && random.nextInt(3) == 0) {
          modes[i] = upgraded(table, keys[i], round);
        }
        leave(keys[i], modes[i]);
        table.release(Keys.of(keys[i]), modes[i]);
      }
    }
  }

  private static LockMode mode(SplittableRandom random) {
    return LockMode.of(1 + random.nextInt(3));
  }

  private LockMode upgraded(LockTable table, int key, long priority) {
    if (table.tryUpgrade(Keys.of(key), priority) != GRANTED) {
      return READ;
    }
    leave(key, READ);
    enter(key, WRITE);
    return WRITE;
  }

  private void enter(int key, LockMode mode) {
    long now = inside.addAndGet(key / 2, INSIDE[mode.code()]);
    long readers = now & 0xffff;
    long writers = now >>> 16 & 0xffff;
    long inserters = now >>> 32;
    boolean possible =
        mode == READ
            ? writers == 0 && inserters == 0
            : mode == WRITE
                ? writers == 1 && readers == 0 && inserters == 0
                : writers == 0 && readers == 0;
    if (!possible) {
      throw new AssertionError("readers=" + readers + " writers=" + writers + " i=" + inserters);
    }
  }

  private void leave(int key, LockMode mode) {
    inside.addAndGet(key / 2, -INSIDE[mode.code()]);
  }

  /**
   * Transactions lock three keys in any order, and wait whenever the result is WAIT. Each one must
   * finish, because no two transactions can wait for each other.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 128})
  void shouldNeverDeadlockUnderWaitDie(int buckets) throws Exception {
    LockTable table = new LockTable(environment, buckets);
    AtomicLong clock = new AtomicLong();
    AtomicLong done = new AtomicLong();
    run(
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          for (int i = 0; i < 2_000; i++) {
            transact(table, random, clock.incrementAndGet());
            done.incrementAndGet();
          }
        });
    assertEquals(THREADS * 2_000, done.get());
    assertEquals(0, table.heldCount());
    table.verify();
  }

  private void transact(LockTable table, SplittableRandom random, long priority) {
    int first = random.nextInt(6);
    int[] keys = {first, (first + 2) % 6, (first + 4) % 6};
    LockMode[] modes = {mode(random), mode(random), mode(random)};
    for (int attempt = 0; ; attempt++) {
      int held = 0;
      while (held < 3 && waitFor(table, keys[held], modes[held], priority)) {
        held++;
      }
      boolean complete = held == 3;
      while (held > 0) {
        held--;
        table.release(Keys.of(keys[held]), modes[held]);
      }
      if (complete) {
        return;
      }
      environment.backoff(attempt);
    }
  }

  private boolean waitFor(LockTable table, int key, LockMode mode, long priority) {
    LockResult result = table.tryAcquire(Keys.of(key), mode, priority);
    for (int poll = 0; result == WAIT; poll++) {
      environment.backoff(poll);
      result = table.tryAcquire(Keys.of(key), mode, priority);
    }
    assertTrue(result == GRANTED || result == DIE);
    return result == GRANTED;
  }

  private interface Work {
    void run(long seed);
  }

  private static void run(Work work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        long seed = t;
        futures.add(threads.submit(() -> work.run(seed)));
      }
      for (Future<?> future : futures) {
        future.get(100, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }
  }
}
