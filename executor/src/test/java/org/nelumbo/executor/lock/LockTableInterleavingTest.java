package org.nelumbo.executor.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.lock.LockMode.INSERT;
import static org.nelumbo.executor.lock.LockMode.READ;
import static org.nelumbo.executor.lock.LockMode.WRITE;
import static org.nelumbo.executor.lock.LockResult.GRANTED;
import static org.nelumbo.executor.lock.LockResult.WAIT;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.litmus.Interleaving;
import org.nelumbo.dm.litmus.SteppingEnvironment;

/**
 * Interleaves small groups of requests for few locks of one bucket at every access to the words of
 * the bucket.
 */
@Timeout(120)
class LockTableInterleavingTest {
  private static final int SCHEDULES = 1500;
  private static final int ACTORS = 3;

  /** Index of the first key that is locked from the start. */
  private static final int STANDING = 32;

  private static final long[] INSIDE = {0, 1, 1L << 16, 1L << 32};

  private final AtomicLongArray inside = new AtomicLongArray(64);
  private Interleaving interleaving;
  private LockTable table;

  /** Lock words with a step before each access. */
  private final class SteppedMemory extends LockMemory {
    SteppedMemory() {
      super(LockTable.wordsOf(1));
    }

    @Override
    long get(int index) {
      interleaving.step();
      return super.get(index);
    }

    @Override
    void setPlain(int index, long value) {
      interleaving.step();
      super.setPlain(index, value);
    }

    @Override
    void setRelease(int index, long value) {
      interleaving.step();
      super.setRelease(index, value);
    }

    @Override
    boolean compareAndSet(int index, long expected, long replacement) {
      interleaving.step();
      return super.compareAndSet(index, expected, replacement);
    }

    @Override
    void add(int index, long delta) {
      interleaving.step();
      super.add(index, delta);
    }
  }

  /**
   * @param standing locks that are held from the start: with 5, two slots are left; with 6 or 7 the
   *     remaining locks go to the overflow map, or come back from it, while one standing lock is
   *     released and acquired again
   */
  @ParameterizedTest
  @CsvSource({"0,1", "0,3", "4,3", "5,3", "6,2", "6,3", "7,3"})
  void shouldNeverGrantIncompatibleLocksInAnyInterleaving(int standing, int wanted)
      throws Exception {
    for (long seed = 0; seed < SCHEDULES; seed++) {
      interleaving = new Interleaving(seed);
      table = new LockTable(stepping(), new SteppedMemory());
      for (int i = 0; i < standing; i++) {
        assertEquals(GRANTED, table.tryAcquire(Keys.of(2 * (STANDING + i)), WRITE, 0));
      }
      for (int a = 0; a < ACTORS; a++) {
        SplittableRandom random = new SplittableRandom(seed * ACTORS + a);
        long priority = 10 + ((long) a * 5 + seed) % 7;
        interleaving.actor(() -> lockAndUnlock(random, wanted, priority));
      }
      if (standing > 0) {
        interleaving.actor(this::giveASlotAndTakeItBack);
      }
      interleaving.run();
      table.verify();
      assertEquals(standing, table.heldCount(), "seed=" + seed);
    }
  }

  private void lockAndUnlock(SplittableRandom random, int wanted, long priority) {
    for (int i = 0; i < 2; i++) {
      int key = random.nextInt(wanted);
      LockMode mode = LockMode.of(1 + random.nextInt(3));
      if (table.tryAcquire(Keys.of(2 * key), mode, priority) == GRANTED) {
        enter(key, mode);
        int other = wanted + random.nextInt(2);
        LockResult result = table.tryAcquire(Keys.of(2 * other), READ, priority);
        if (result == GRANTED) {
          enter(other, READ);
          leave(other, READ);
          table.release(Keys.of(2 * other), READ);
        }
        leave(key, mode);
        table.release(Keys.of(2 * key), mode);
      }
    }
  }

  /** Releases one standing lock for a short time, so that slots become free in a full bucket. */
  private void giveASlotAndTakeItBack() {
    for (int i = 0; i < 2; i++) {
      table.release(Keys.of(2 * STANDING), WRITE);
      while (table.tryAcquire(Keys.of(2 * STANDING), WRITE, 0) != GRANTED) {
        interleaving.step();
      }
    }
  }

  private void enter(int key, LockMode mode) {
    long now = inside.addAndGet(key, INSIDE[mode.code()]);
    long readers = now & 0xffff;
    long writers = now >>> 16 & 0xffff;
    long inserters = now >>> 32;
    int modes = (readers > 0 ? 1 : 0) + (writers > 0 ? 1 : 0) + (inserters > 0 ? 1 : 0);
    if (modes != 1 || writers > 1) {
      throw new AssertionError("readers=" + readers + " writers=" + writers + " i=" + inserters);
    }
  }

  private void leave(int key, LockMode mode) {
    inside.addAndGet(key, -INSIDE[mode.code()]);
  }

  /**
   * Two transactions share a lock, and a third one requests it while both hold it. The result is
   * WAIT only if the third one is older than both, in any interleaving of their requests.
   */
  @ParameterizedTest
  @CsvSource({"10,20", "20,10"})
  void shouldBoundThePrioritiesOfAllSharers(long first, long second) throws Exception {
    for (LockMode mode : List.of(READ, INSERT)) {
      for (long seed = 0; seed < SCHEDULES / 3; seed++) {
        interleaving = new Interleaving(seed);
        table = new LockTable(stepping(), new SteppedMemory());
        interleaving.actor(() -> assertEquals(GRANTED, table.tryAcquire(7, mode, first)));
        interleaving.actor(() -> assertEquals(GRANTED, table.tryAcquire(7, mode, second)));
        interleaving.run();
        assertEquals(10, table.holderPriority(7), "seed=" + seed);
        assertEquals(WAIT, table.tryAcquire(7, WRITE, 9));
        assertEquals(LockResult.DIE, table.tryAcquire(7, WRITE, 15));
      }
    }
  }

  private Environment stepping() {
    return new SteppingEnvironment(interleaving::step);
  }
}
