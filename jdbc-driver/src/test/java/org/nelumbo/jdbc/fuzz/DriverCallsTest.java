package org.nelumbo.jdbc.fuzz;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * Whatever is called on the objects of the driver, in whatever order and with whatever arguments:
 * nothing but an {@code SQLException} leaves it.
 *
 * <p>{@code -Dnelumbo.test.jvm=-Dnelumbo.fuzz.seconds=600} runs longer; {@code -Dnelumbo.seed=N} in
 * its place runs one seed, which a failure names.
 */
class DriverCallsTest {
  private static final int CALLS = 300;
  private static final long SECONDS = Long.getLong("nelumbo.fuzz.seconds", 5);
  private static final long RUN_MILLIS_MAX = TimeUnit.SECONDS.toMillis(60);

  /** Short sequences, which jqwik shortens further when one fails. */
  @Property(tries = 40)
  void shouldLetOutNothingButSqlExceptions(@ForAll @Size(max = 60) List<Long> calls)
      throws Exception {
    run(calls.stream().mapToLong(Long::longValue).toArray());
  }

  /** Long sequences, for a given time. */
  @Test
  void shouldLetOutNothingButSqlExceptionsForSomeTime() throws Exception {
    Long given = Long.getLong("nelumbo.seed");
    if (given != null) {
      runSeed(given);
      return;
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    SplittableRandom seeds = new SplittableRandom();
    while (System.nanoTime() < end) {
      runSeed(seeds.nextLong());
    }
  }

  private static void runSeed(long seed) throws Exception {
    try {
      run(new SplittableRandom(seed).longs(CALLS + (seed & 1)).toArray());
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  private static void fail(AssertionError finding) {
    throw finding;
  }

  /** In a thread of its own, since a call may not come back. */
  private static void run(long[] calls) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicReference<FuzzRun> running = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try (FuzzRun run = new FuzzRun(calls.length % 2 == 0, DriverCallsTest::fail)) {
                    running.set(run);
                    for (long call : calls) {
                      run.call(call);
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
    thread.join(RUN_MILLIS_MAX);
    FuzzRun run = running.get();
    if (thread.isAlive()) {
      AssertionError stuck = new AssertionError("no end of " + run.current());
      stuck.setStackTrace(thread.getStackTrace());
      throw stuck;
    }
    if (failure.get() != null) {
      throw new AssertionError(
          failure.get().getMessage() + "\n  " + String.join("\n  ", run.trace()), failure.get());
    }
  }
}
