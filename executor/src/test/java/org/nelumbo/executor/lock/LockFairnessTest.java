package org.nelumbo.executor.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.session.ConflictPolicy;

/**
 * Tests an old transaction among younger ones that hold a lock in turns. It gets the lock after a
 * bounded number of grants to the others, and a younger transaction that has to stay behind it does
 * not wait forever.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LockFairnessTest {
  private static final long KEY = 77;
  private static final long OLD = 1000;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_GRANTS = 300;

  private final SteppingEnvironment environment = new SteppingEnvironment(this::step);
  private LockTable table = new LockTable(environment, 64);
  private final CancellationToken cancellationToken = new CancellationToken(environment);
  private final Deque<Long> others = new ArrayDeque<>();
  private Runnable onStep = () -> {};
  private long nextPriority = OLD + 1;
  private int grants;
  private int refusals;

  private void step() {
    environment.advanceMicros(100);
    onStep.run();
  }

  private LockAcquirer acquirer(long priority) {
    LockAcquirer locks =
        new LockAcquirer(environment, table, new LockSet(), cancellationToken, why -> {});
    locks.begin(priority, ConflictPolicy.WAIT_DIE, TIMEOUT_NANOS);
    return locks;
  }

  private void join(LockMode mode) {
    long priority = nextPriority++;
    if (table.tryAcquire(KEY, mode, priority) == LockResult.GRANTED) {
      others.add(priority);
      grants++;
    } else {
      refusals++;
    }
  }

  /** Adds a younger holder before it removes the oldest one, at each step. */
  private void overlap(LockMode mode) {
    join(mode);
    if (!others.isEmpty()) {
      others.remove();
      table.release(KEY, mode);
    }
  }

  /** Small tables keep most locks in the overflow map. */
  @ParameterizedTest
  @CsvSource({
    "READ, WRITE, 64",
    "READ, INSERT, 64",
    "INSERT, READ, 64",
    "INSERT, WRITE, 64",
    "WRITE, WRITE, 64",
    "READ, WRITE, 1",
    "INSERT, READ, 1"
  })
  void shouldAcquireLockPassedBetweenYoungerTransactions(
      LockMode othersMode, LockMode mode, int buckets) {
    table = new LockTable(environment, buckets);
    for (int i = 0; i < 20 && buckets == 1; i++) {
      assertEquals(
          LockResult.GRANTED, table.tryAcquire(Keys.of(2 * (i + 500)), LockMode.WRITE, OLD));
    }
    LockAcquirer writer = acquirer(OLD);
    join(othersMode);
    onStep =
        othersMode == LockMode.WRITE ? () -> takeWhenFree(othersMode) : () -> overlap(othersMode);
    assertEquals(Outcome.OK, writer.acquire(KEY, mode));
    assertTrue(grants < MOST_GRANTS, () -> "grants=" + grants);
    writer.releaseAll();
  }

  /** Replaces the holder between two polls of the waiter. */
  private void takeWhenFree(LockMode mode) {
    if (!others.isEmpty()) {
      others.remove();
      table.release(KEY, mode);
    }
    join(mode);
  }

  /** The bound of a slot is the priority of the oldest holder since the lock was last free. */
  @Test
  void shouldAcquireLockOnceHeldByOlderTransaction() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.READ, OLD));
    join(LockMode.READ);
    table.release(KEY, LockMode.READ);
    LockAcquirer writer = acquirer(OLD + 500);
    nextPriority = OLD + 501;
    onStep = () -> overlap(LockMode.READ);
    assertEquals(Outcome.OK, writer.acquire(KEY, LockMode.WRITE));
    assertTrue(grants < MOST_GRANTS, () -> "grants=" + grants);
    writer.releaseAll();
  }

  @Test
  void shouldWaitForOlderHolderOnlyWithoutLocks() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, OLD));
    LockAcquirer holder = acquirer(OLD + 10);
    assertEquals(Outcome.OK, holder.acquire(KEY + 1, LockMode.READ));
    int[] polls = {0};
    onStep =
        () -> {
          if (++polls[0] == 5 * LockWaiter.BEHIND_POLLS) {
            table.release(KEY, LockMode.WRITE);
          }
        };
    assertEquals(Outcome.CONFLICT, holder.acquire(KEY, LockMode.READ));
    assertEquals(0, polls[0]);
    LockAcquirer young = acquirer(OLD + 20);
    assertEquals(Outcome.OK, young.acquire(KEY, LockMode.READ));
    young.releaseAll();
    holder.releaseAll();
  }

  @Test
  void shouldUpgradeAmongOverlappingReaders() {
    LockAcquirer writer = acquirer(OLD);
    assertEquals(Outcome.OK, writer.acquire(KEY, LockMode.READ));
    join(LockMode.READ);
    onStep = () -> overlap(LockMode.READ);
    assertEquals(Outcome.OK, writer.acquire(KEY, LockMode.WRITE));
    assertTrue(grants < MOST_GRANTS, () -> "grants=" + grants);
    assertTrue(refusals > 0);
    writer.releaseAll();
  }

  @Test
  void shouldKeepYoungerTransactionsBehindAnnouncedOne() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.READ, OLD + 5));
    assertTrue(table.announce(KEY, OLD));
    assertEquals(LockResult.BEHIND, table.tryAcquire(KEY, LockMode.READ, OLD + 6));
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.READ, OLD - 1));
    table.withdraw(KEY);
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.READ, OLD + 6));
  }

  @Test
  void shouldFailBehindOlderTransactionIfHoldingLocks() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.READ, OLD + 5));
    assertTrue(table.announce(KEY, OLD));
    LockAcquirer young = acquirer(OLD + 10);
    assertEquals(Outcome.OK, young.acquire(KEY + 1, LockMode.READ));
    assertEquals(Outcome.CONFLICT, young.acquire(KEY, LockMode.READ));
    assertTrue(young.describeFailure().contains("older transaction 3e8"), young::describeFailure);
    assertTrue(environment.nanoTime() % 1_000_000_000L < TIMEOUT_NANOS / 10, "it gave up early");
    young.releaseAll();
  }

  @Test
  void shouldWaitBehindOlderTransactionWithoutLocks() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.READ, OLD + 5));
    assertTrue(table.announce(KEY, OLD));
    int[] polls = {0};
    onStep =
        () -> {
          if (++polls[0] == 5 * LockWaiter.BEHIND_POLLS) {
            table.withdraw(KEY);
          }
        };
    LockAcquirer young = acquirer(OLD + 10);
    assertEquals(Outcome.OK, young.acquire(KEY, LockMode.READ));
    young.releaseAll();
  }

  @Test
  void shouldWithdrawAnnouncementAfterTimeout() {
    onStep = () -> environment.advanceMicros(TimeUnit.NANOSECONDS.toMicros(TIMEOUT_NANOS) / 200);
    assertWithdrawnAfter(Outcome.CONFLICT);
  }

  @Test
  void shouldWithdrawAnnouncementAfterGrant() {
    onStep =
        () -> {
          if (isAnnounced()) {
            table.release(KEY, LockMode.WRITE);
          }
        };
    assertWithdrawnAfter(Outcome.OK);
  }

  @Test
  void shouldWithdrawAnnouncementAfterCancellation() {
    onStep =
        () -> {
          if (isAnnounced()) {
            cancellationToken.cancel();
          }
        };
    assertWithdrawnAfter(Outcome.CANCELLED);
  }

  @Test
  void shouldWithdrawAnnouncementAfterError() {
    onStep =
        () -> {
          if (isAnnounced()) {
            throw new IllegalStateException("the environment fails");
          }
        };
    assertWithdrawnAfter(null);
  }

  /** A younger transaction fails, and waits for the older one before it begins again. */
  @Test
  void shouldWithdrawAnnouncementAfterErrorInWaitForOlder() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, OLD));
    LockAcquirer young = acquirer(OLD + 10);
    assertEquals(Outcome.OK, young.acquire(KEY + 1, LockMode.WRITE)); // with a lock it cannot wait
    assertEquals(Outcome.CONFLICT, young.acquire(KEY, LockMode.WRITE));
    young.releaseAll();
    boolean[] wasAnnounced = {false};
    onStep =
        () -> {
          if (table.waiterPriority(KEY) == OLD + 10) {
            wasAnnounced[0] = true;
            throw new IllegalStateException("the environment fails");
          }
        };
    assertThrows(IllegalStateException.class, young::awaitOlder);
    assertTrue(wasAnnounced[0]);
    table.release(KEY, LockMode.WRITE);
    onStep = () -> {};
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, OLD + 20));
  }

  private boolean isAnnounced() {
    return table.waiterPriority(KEY) == OLD;
  }

  /**
   * Lets an old transaction wait for a younger one; the current step ends the wait, once it is
   * announced. Then a younger transaction acquires the lock.
   *
   * @param expected outcome of the wait, or null for an exception
   */
  private void assertWithdrawnAfter(Outcome expected) {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, OLD + 5));
    Runnable ending = onStep;
    boolean[] wasAnnounced = {false};
    onStep =
        () -> {
          wasAnnounced[0] |= isAnnounced();
          ending.run();
        };
    LockAcquirer old = acquirer(OLD);
    if (expected == null) {
      assertThrows(IllegalStateException.class, () -> old.acquire(KEY, LockMode.WRITE));
    } else {
      assertEquals(expected, old.acquire(KEY, LockMode.WRITE));
      old.releaseAll();
    }
    assertTrue(wasAnnounced[0]);
    if (expected != Outcome.OK) {
      table.release(KEY, LockMode.WRITE);
    }
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, OLD + 6));
  }
}
