package org.nelumbo.planner.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.executor.outcome.CancellationToken;

/** Waits at the metadata lock of a table; time advances only while a thread waits. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MetadataLockTest {
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private Runnable onStep = () -> {};
  private final SteppingEnvironment environment = new SteppingEnvironment(this::step);
  private final CancellationToken stop = new CancellationToken(environment);
  private final MetadataLock lock = new MetadataLock(environment);
  private final HeldMetadataLocks one = new HeldMetadataLocks();
  private final HeldMetadataLocks two = new HeldMetadataLocks();
  private int steps;

  private void step() {
    environment.advanceMicros(100);
    onStep.run();
  }

  /**
   * Transaction one waits for a row of two. Two requests the table, which a schema change has
   * closed, and the change waits for one. Two is admitted and ends, and then one ends.
   */
  @Test
  void shouldAdmitTransactionThatMayBlockOtherTransactions() {
    assertTrue(one.acquire(lock, HOUR_NANOS, true, stop));
    onStep =
        () -> {
          onStep = () -> {};
          assertTrue(two.acquire(lock, HOUR_NANOS, true, stop));
          onStep =
              () -> {
                steps++;
                two.releaseAll();
                one.releaseAll();
              };
        };
    long start = environment.nanoTime();
    assertTrue(lock.lockExclusively(List.of(one, two), HOUR_NANOS, stop));
    assertTrue(steps > 0, "it waited for both");
    assertTrue(environment.nanoTime() - start < HOUR_NANOS / 1000);
    assertFalse(two.acquire(lock, 1_000_000, true, stop), "nobody comes in now");
    lock.unlock();
    assertTrue(two.acquire(lock, 1_000_000, true, stop));
  }

  @Test
  void shouldBlockNewTransactionsWhileSchemaChangeWaits() {
    assertTrue(one.acquire(lock, HOUR_NANOS, true, stop));
    onStep =
        () -> {
          onStep = () -> {};
          assertFalse(two.acquire(lock, TimeUnit.SECONDS.toNanos(1), false, stop));
          one.releaseAll();
        };
    assertTrue(lock.lockExclusively(List.of(one, two), HOUR_NANOS, stop));
  }

  @Test
  void shouldShareTheLockAgainAfterASchemaChangeWasThrownOutOf() {
    Iterable<HeldMetadataLocks> broken =
        () -> {
          throw new OutOfMemoryError("no list of sessions");
        };
    assertThrows(OutOfMemoryError.class, () -> lock.lockExclusively(broken, HOUR_NANOS, stop));
    assertTrue(two.acquire(lock, 0, false, stop));
  }

  @Test
  void shouldShareTheLockAgainAfterASchemaChangeGaveUp() {
    assertTrue(one.acquire(lock, HOUR_NANOS, true, stop));
    assertFalse(lock.lockExclusively(List.of(one, two), 1_000_000, stop));
    assertTrue(two.acquire(lock, 0, false, stop));
    assertEquals(true, one.holds(lock));
  }
}
