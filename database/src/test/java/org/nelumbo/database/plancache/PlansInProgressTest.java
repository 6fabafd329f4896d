package org.nelumbo.database.plancache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.ForwardingEnvironment;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.SessionLimits;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.outcome.CancellationToken;

@Timeout(60)
class PlansInProgressTest {
  private static final int THREADS = 3;

  private final AtomicLong skippedNanos = new AtomicLong();
  private final CountDownLatch parked = new CountDownLatch(THREADS);
  private final Environment environment = new WatchedEnvironment();
  private final PlansInProgress inProgress = new PlansInProgress(environment);
  private final AtomicReference<String> cached = new AtomicReference<>();
  private final AtomicInteger made = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** An environment that counts waiting threads and advances the clock. */
  private final class WatchedEnvironment extends ForwardingEnvironment {
    @Override
    public long nanoTime() {
      return environment.nanoTime() + skippedNanos.get();
    }

    @Override
    public void parkNanos(long nanos) {
      parked.countDown();
      environment.parkNanos(nanos);
    }
  }

  private String get(StatementLimits limits) {
    return inProgress.get("text", cached::get, this::make, limits);
  }

  private String make() {
    String plan = "plan " + made.incrementAndGet();
    if (plan.equals("plan 1")) {
      begun.countDown();
      await(goOn);
    }
    cached.set(plan);
    return plan;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static CompletableFuture<String> run(Supplier<String> body) {
    CompletableFuture<String> result = new CompletableFuture<>();
    Thread.startVirtualThread(
        () -> {
          try {
            result.complete(body.get());
          } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private CompletableFuture<String> runFirst() {
    CompletableFuture<String> first = run(() -> get(new StatementLimits()));
    await(begun);
    return first;
  }

  @Test
  void shouldMakeAPlanOnceForAllThreadsThatNeedIt() {
    CompletableFuture<String> first = runFirst();
    CompletableFuture<?>[] others = new CompletableFuture<?>[THREADS];
    for (int i = 0; i < THREADS; i++) {
      others[i] = run(() -> get(new StatementLimits()));
    }
    await(parked);
    goOn.countDown();
    assertEquals("plan 1", first.join());
    for (CompletableFuture<?> other : others) {
      assertEquals("plan 1", other.join());
    }
    assertEquals(1, made.get());
  }

  @Test
  void shouldLetTheNextThreadMakeAPlanAfterAFailure() {
    CompletableFuture<String> first =
        run(
            () ->
                inProgress.get(
                    "text",
                    cached::get,
                    () -> {
                      begun.countDown();
                      await(goOn);
                      throw new IllegalStateException("cancelled");
                    },
                    new StatementLimits()));
    await(begun);
    CompletableFuture<?>[] others = new CompletableFuture<?>[THREADS];
    for (int i = 0; i < THREADS; i++) {
      others[i] = run(() -> get(new StatementLimits()));
    }
    await(parked);
    goOn.countDown();
    assertThrows(CompletionException.class, first::join);
    for (CompletableFuture<?> other : others) {
      assertEquals("plan 1", other.join());
    }
  }

  @Test
  void shouldStopTheWaitOfACancelledStatement() {
    CompletableFuture<String> first = runFirst();
    CancellationToken token = new CancellationToken(environment);
    StatementLimits limits = new StatementLimits();
    limits.start(new SessionLimits(token, () -> 0));
    token.cancel();
    NelumboException failure = assertThrows(NelumboException.class, () -> get(limits));
    assertEquals(ErrorCode.CANCELLED, failure.code());
    goOn.countDown();
    assertEquals("plan 1", first.join());
  }

  @Test
  void shouldMakeAPlanOfItsOwnAfterALongWait() {
    CompletableFuture<String> first = runFirst();
    CompletableFuture<String> other = run(() -> get(new StatementLimits()));
    while (parked.getCount() == THREADS) {
      Thread.onSpinWait();
    }
    skippedNanos.addAndGet(6_000_000_000L);
    assertEquals("plan 2", other.join());
    goOn.countDown();
    assertEquals("plan 1", first.join());
  }

  @Test
  void shouldMakeDifferentPlansAtTheSameTime() {
    CompletableFuture<String> first = runFirst();
    assertEquals(
        "other", inProgress.get("other text", () -> null, () -> "other", new StatementLimits()));
    goOn.countDown();
    assertEquals("plan 1", first.join());
  }
}
