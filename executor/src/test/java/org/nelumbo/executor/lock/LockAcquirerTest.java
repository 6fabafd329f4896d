package org.nelumbo.executor.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.VirtualTime;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.session.ConflictPolicy;

/** Tests which lock holders a transaction waits for under each policy and timeout. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LockAcquirerTest {
  private static final long KEY = 77;
  private static final long OLDER = Priority.of(1_000, 1);
  private static final long YOUNGER = Priority.of(2_000, 2);
  private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(1L << 24));
  private final LockTable table = engine.lockTable();
  private final LockAcquirer locks = acquirer(engine.environment(), table, why -> {});

  @AfterEach
  void close() {
    engine.close();
  }

  /**
   * This includes a transaction that began after the collector had acquired the lock, and one with
   * a timeout of zero.
   */
  @ParameterizedTest
  @EnumSource(ConflictPolicy.class)
  void shouldWaitForCollectorUnderAnyPolicyAndTimeout(ConflictPolicy policy) {
    for (long timeoutNanos : new long[] {0, 1, TIMEOUT_NANOS}) {
      long collector = Priority.ofCollector(engine.clock());
      assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, collector));
      VirtualTime interlude = new VirtualTime(1_000, () -> table.release(KEY, LockMode.WRITE));
      LockAcquirer waiter = acquirer(interlude, table, why -> {});
      waiter.begin(Priority.of(engine.clock().now() + (1 << 20), 1), policy, timeoutNanos);
      assertEquals(Outcome.OK, waiter.acquire(KEY, LockMode.READ));
      assertEquals(1, interlude.waits);
      waiter.releaseAll();
    }
  }

  /** A transaction may hold a lock for a long time. */
  @ParameterizedTest
  @EnumSource(ConflictPolicy.class)
  void shouldWaitForNoTransactionWithoutATimeout(ConflictPolicy policy) {
    long younger = Priority.of(engine.clock().next(null), Epochs.MAX_SLOTS - 1);
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, younger));
    VirtualTime interlude = new VirtualTime(1_000, () -> {});
    LockAcquirer waiter = acquirer(interlude, table, why -> {});
    waiter.begin(Priority.of(1, 1), policy, 0);
    assertEquals(Outcome.CONFLICT, waiter.acquire(KEY, LockMode.READ));
    assertEquals(0, interlude.waits);
    table.release(KEY, LockMode.WRITE);
  }

  /** An immediate retry would be refused again by the same holder. */
  @Test
  void shouldWaitForTheOlderHolderAfterARefusal() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, OLDER));
    int[] waits = {0};
    VirtualTime interlude =
        new VirtualTime(
            1_000,
            () -> {
              if (++waits[0] == 5) {
                table.release(KEY, LockMode.WRITE);
              }
            });
    LockAcquirer younger = acquirer(interlude, table, why -> {});
    refuse(younger, ConflictPolicy.WAIT_DIE);
    younger.awaitOlder();
    assertEquals(5, waits[0]);
    younger.begin(YOUNGER, ConflictPolicy.WAIT_DIE, TIMEOUT_NANOS);
    assertEquals(Outcome.OK, younger.acquire(KEY + 1, LockMode.WRITE));
    assertEquals(Outcome.OK, younger.acquire(KEY, LockMode.WRITE), "the retry");
    assertEquals(5, waits[0]);
    younger.releaseAll();
  }

  /** The retry keeps its priority, so it may wait for a younger holder of the lock itself. */
  @Test
  void shouldNotWaitForAYoungerHolderAfterARefusal() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, OLDER));
    VirtualTime interlude = new VirtualTime(1_000, () -> {});
    LockAcquirer younger = acquirer(interlude, table, why -> {});
    refuse(younger, ConflictPolicy.WAIT_DIE);
    table.release(KEY, LockMode.WRITE);
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, Priority.of(3_000, 3)));
    younger.awaitOlder();
    assertEquals(0, interlude.waits);
    table.release(KEY, LockMode.WRITE);
  }

  @Test
  void shouldReportARefusalAfterABoundedWait() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, OLDER));
    VirtualTime interlude = new VirtualTime(1_000, () -> {});
    LockAcquirer younger = acquirer(interlude, table, why -> {});
    refuse(younger, ConflictPolicy.WAIT_DIE);
    younger.awaitOlder();
    assertEquals(100_000, interlude.waits, "microseconds");
    interlude.waits = 0;
    refuse(younger, ConflictPolicy.NO_WAIT);
    younger.awaitOlder();
    assertEquals(0, interlude.waits, "no wait was wanted");
    table.release(KEY, LockMode.WRITE);
  }

  /**
   * Overlapping readers would keep the bound of the lock at the priority of the old holder, and the
   * waiter would wait forever.
   */
  @Test
  void shouldBlockYoungerTransactionsAfterLongWait() {
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.READ, OLDER));
    long next = Priority.of(3_000, 3);
    VirtualTime interlude = new VirtualTime(1_000, () -> {});
    interlude.meanwhile =
        () -> {
          LockResult result = table.tryAcquire(KEY, LockMode.READ, next);
          if (result == LockResult.BEHIND) {
            table.release(KEY, LockMode.READ); // the lock of the older holder
          } else {
            assertEquals(LockResult.GRANTED, result);
            table.release(KEY, LockMode.READ);
          }
        };
    LockAcquirer younger = acquirer(interlude, table, why -> {});
    refuse(younger, ConflictPolicy.WAIT_DIE);
    younger.awaitOlder();
    assertEquals(LockWaiter.PATIENCE + 1, interlude.waits);
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, next), "withdrawn");
    table.release(KEY, LockMode.WRITE);
  }

  private static void refuse(LockAcquirer younger, ConflictPolicy policy) {
    younger.begin(YOUNGER, policy, TIMEOUT_NANOS);
    assertEquals(Outcome.OK, younger.acquire(KEY + 1, LockMode.WRITE));
    assertEquals(Outcome.CONFLICT, younger.acquire(KEY, LockMode.WRITE));
    younger.releaseAll();
  }

  private static LockAcquirer acquirer(
      Environment environment, LockTable table, Consumer<Throwable> onBroken) {
    return new LockAcquirer(
        environment, table, new LockSet(), new CancellationToken(environment), onBroken);
  }

  /** An error between the writes of two words of the lock table leaves a lock without a holder. */
  @Test
  void shouldReportErrorWithinLockRequest() {
    StackOverflowError thrown = new StackOverflowError("between two words");
    LockTable broken =
        new LockTable(engine.environment(), 64) {
          @Override
          public LockResult tryAcquire(long key, LockMode mode, long priority) {
            super.tryAcquire(key, mode, priority);
            throw thrown;
          }
        };
    AtomicReference<Throwable> told = new AtomicReference<>();
    LockAcquirer acquirer = acquirer(engine.environment(), broken, told::set);
    acquirer.begin(1, ConflictPolicy.NO_WAIT, TIMEOUT_NANOS);
    assertThrows(StackOverflowError.class, () -> acquirer.acquire(KEY, LockMode.WRITE));
    assertSame(thrown, told.get());
    assertThrows(IllegalStateException.class, acquirer::releaseAll, "as if nothing had been");
  }

  @Test
  void shouldNotWaitForATransactionUnderNoWait() {
    locks.begin(Priority.of(engine.clock().now(), 1), ConflictPolicy.NO_WAIT, TIMEOUT_NANOS);
    long younger = Priority.of(engine.clock().next(null), Epochs.MAX_SLOTS - 1);
    assertEquals(LockResult.GRANTED, table.tryAcquire(KEY, LockMode.WRITE, younger));
    assertEquals(Outcome.CONFLICT, locks.acquire(KEY, LockMode.READ));
    table.release(KEY, LockMode.WRITE);
  }

  /** Locks in mode INSERT are in no set, so their keys are lost with the stack of the caller. */
  @Test
  void shouldReportInsertLocksThatAnExceptionHasLeft() {
    locks.begin(OLDER, ConflictPolicy.WAIT_DIE, TIMEOUT_NANOS);
    long[] keys = {KEY};
    assertEquals(1, locks.enterInserts(keys, 1));
    locks.exitInserts(keys, 1);
    locks.releaseAll();
    locks.begin(OLDER, ConflictPolicy.WAIT_DIE, TIMEOUT_NANOS);
    assertThrows(ArrayIndexOutOfBoundsException.class, () -> locks.enterInserts(keys, 2));
    assertThrows(IllegalStateException.class, locks::releaseAll);
    table.release(KEY, LockMode.INSERT);
  }
}
