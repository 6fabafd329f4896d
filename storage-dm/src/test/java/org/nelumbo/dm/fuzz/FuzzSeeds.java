package org.nelumbo.dm.fuzz;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs fuzzers over seeds. In a build, a fuzzer runs for a second or two from the same seeds each
 * time, so that a failure points to the change that caused it. {@code
 * -Dnelumbo.test.jvm=-Dnelumbo.fuzz.seconds=600} sets a longer time. {@code -Dnelumbo.seed=N}
 * instead runs one seed, which failures report. With both, all seeds are derived from that one.
 */
public final class FuzzSeeds {
  /** Timeout of a whole fuzzer run, whose length is configured; each step has its own timeout. */
  public static final int DAYS_MAX = 7;

  private static final long BUILD_SEED = 20_261_127;
  private static final long RUN_MILLIS_MAX = TimeUnit.SECONDS.toMillis(60);

  private FuzzSeeds() {}

  /** One run of a fuzzer, determined by its seed. */
  @FunctionalInterface
  public interface Run {
    /** Throws an exception if the run has found a defect. */
    void run(long seed) throws Exception;
  }

  /**
   * Runs seeds until the time is over, each to its end, and prints their number.
   *
   * @param seconds default time if neither property is set
   */
  public static void run(String what, long seconds, Run run) throws Exception {
    Long given = Long.getLong("nelumbo.seed");
    Long time = Long.getLong("nelumbo.fuzz.seconds");
    if (given != null && time == null) {
      runOne(given, run);
      return;
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(time == null ? seconds : time);
    SplittableRandom seeds = new SplittableRandom(given == null ? BUILD_SEED : given);
    long count = 0;
    for (; System.nanoTime() < end; count++) {
      runOne(seeds.nextLong(), run);
    }
    System.out.println("RESULT fuzz " + what + "=" + count);
  }

  private static void runOne(long seed, Run run) {
    try {
      run.run(seed);
    } catch (Throwable e) {
      throw new AssertionError("seed " + seed + ": " + e, e);
    }
  }

  @FunctionalInterface
  public interface Step {
    /** Executes the step, which may hang. */
    void run() throws Exception;
  }

  /** Runs a step in its own thread, because it may hang; fails after a minute. */
  public static void runToEnd(Step step) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    step.run();
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
    thread.join(RUN_MILLIS_MAX);
    if (thread.isAlive()) {
      AssertionError stuck = new AssertionError("no end");
      stuck.setStackTrace(thread.getStackTrace());
      throw stuck;
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get().toString(), failure.get());
    }
  }
}
