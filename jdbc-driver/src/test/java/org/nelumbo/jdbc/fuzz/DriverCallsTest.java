package org.nelumbo.jdbc.fuzz;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fuzz.FuzzSeeds;

/**
 * Calls the objects of the driver in any order and with any arguments: they throw only {@code
 * SQLException}. {@link FuzzSeeds} describes longer runs and runs of a single seed.
 */
class DriverCallsTest {
  private static final int CALLS = 300;
  private static final long SECONDS = 2;

  /** Runs short sequences, which jqwik shrinks when one fails. */
  @Property(seed = "1", tries = 40)
  void shouldThrowOnlySqlExceptions(@ForAll @Size(max = 60) List<Long> calls) throws Exception {
    run(calls.stream().mapToLong(Long::longValue).toArray());
  }

  /** Runs long sequences for a given time. */
  @Test
  @Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
  void shouldThrowOnlySqlExceptionsInLongRuns() throws Exception {
    FuzzSeeds.run(
        "driver-calls",
        SECONDS,
        seed -> run(new SplittableRandom(seed).longs(CALLS + (seed & 1)).toArray()));
  }

  private static void fail(AssertionError finding) {
    throw finding;
  }

  private static void run(long[] calls) throws Exception {
    AtomicReference<FuzzRun> running = new AtomicReference<>();
    try {
      FuzzSeeds.runToEnd(
          () -> {
            try (FuzzRun run = new FuzzRun(calls.length % 2 == 0, DriverCallsTest::fail)) {
              running.set(run);
              for (long call : calls) {
                run.call(call);
              }
            }
          });
    } catch (AssertionError e) {
      FuzzRun run = running.get();
      throw run == null
          ? e
          : new AssertionError(
              e.getMessage() + " in " + run.current() + "\n  " + String.join("\n  ", run.trace()),
              e);
    }
  }
}
