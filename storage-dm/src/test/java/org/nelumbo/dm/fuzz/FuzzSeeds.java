package org.nelumbo.dm.fuzz;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The seeds of a fuzzer. In a build it runs a second or two from seeds that are the same each time,
 * so that a build fails for the one who broke something. {@code
 * -Dnelumbo.test.jvm=-Dnelumbo.fuzz.seconds=600} runs it longer; {@code -Dnelumbo.seed=N} in its
 * place runs one seed, which a failure names. With both, all seeds follow from that one.
 */
public final class FuzzSeeds {
  /** A run of a fuzzer may take as long as it is told; each of its steps has a time of its own. */
  public static final int DAYS_MAX = 7;

  private static final long BUILD_SEED = 20_261_127;
  private static final long RUN_MILLIS_MAX = TimeUnit.SECONDS.toMillis(60);

  private FuzzSeeds() {}

  /** A run from a seed. */
  @FunctionalInterface
  public interface Run {
    /** Ends in an exception if something is wrong. */
    void run(long seed) throws Exception;
  }

  /**
   * Runs seeds until the time is over, each to its end; says how many.
   *
   * @param seconds how long, if no property says it
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

  /** A step of a fuzzer. */
  @FunctionalInterface
  public interface Step {
    /** Does something that may not come back. */
    void run() throws Exception;
  }

  /** Runs in a thread of its own, since it may not come back; fails after a minute. */
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
