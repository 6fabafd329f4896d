package org.nelumbo.executor.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.timestamp.Epochs;

/** Whom a transaction that does not wait waits for all the same. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LockAcquirerTest {
  private static final long KEY = 77;
  private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(1L << 24));
  private final LockTable table = engine.lockTable();
  private final LockAcquirer locks =
      new LockAcquirer(
          engine.environment(),
          table,
          new LockSet(),
          new CancellationToken(engine.environment()),
          why -> {});

  @AfterEach
  void close() {
    engine.close();
  }

  /** Also a transaction that began when the collector had the lock already. */
  @ParameterizedTest
  @EnumSource(ConflictPolicy.class)
  void shouldWaitForACollectorWhateverThePolicy(ConflictPolicy policy) throws InterruptedException {
    long collector = Priority.ofCollector(engine.clock());
    assertEquals(LockTable.GRANTED, table.tryAcquire(KEY, LockTable.WRITE, collector));
    long later = engine.clock().now() + (1 << 20);
    locks.begin(Priority.of(later, 1), policy, TIMEOUT_NANOS);
    AtomicReference<Outcome> status = new AtomicReference<>();
    Thread waiter = Thread.ofPlatform().start(() -> status.set(locks.acquire(KEY, LockTable.READ)));
    while (!locks.isWaiting() && waiter.isAlive()) {
      Thread.onSpinWait();
    }
    assertTrue(waiter.isAlive(), () -> "did not wait status=" + status);
    table.release(KEY, LockTable.WRITE);
    waiter.join();
    assertEquals(Outcome.OK, status.get());
    locks.releaseAll();
  }

  /** What is thrown between two words of the lock table leaves a lock that nobody holds. */
  @Test
  void shouldSayThatARequestWasEndedHalfWay() {
    StackOverflowError thrown = new StackOverflowError("between two words");
    LockTable broken =
        new LockTable(engine.environment(), 64) {
          @Override
          public int tryAcquire(long key, int mode, long priority) {
            super.tryAcquire(key, mode, priority);
            throw thrown;
          }
        };
    AtomicReference<Throwable> told = new AtomicReference<>();
    LockAcquirer acquirer =
        new LockAcquirer(
            engine.environment(),
            broken,
            new LockSet(),
            new CancellationToken(engine.environment()),
            told::set);
    acquirer.begin(1, ConflictPolicy.NO_WAIT, TIMEOUT_NANOS);
    assertThrows(StackOverflowError.class, () -> acquirer.acquire(KEY, LockTable.WRITE));
    assertSame(thrown, told.get());
    assertThrows(IllegalStateException.class, acquirer::releaseAll, "as if nothing had been");
  }

  @Test
  void shouldNotWaitForATransactionUnderNoWait() {
    locks.begin(Priority.of(engine.clock().now(), 1), ConflictPolicy.NO_WAIT, TIMEOUT_NANOS);
    long younger = Priority.of(engine.clock().next(null), Epochs.MAX_SLOTS - 1);
    assertEquals(LockTable.GRANTED, table.tryAcquire(KEY, LockTable.WRITE, younger));
    assertEquals(Outcome.CONFLICT, locks.acquire(KEY, LockTable.READ));
    table.release(KEY, LockTable.WRITE);
  }
}
