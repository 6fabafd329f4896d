package org.nelumbo.benchmark.run;

import java.time.Duration;

/**
 * The warm-up: the time in which nothing counts.
 *
 * @param longest the warm-up's length, or its bound if a steady state may end it earlier
 * @param automatic whether it ends as soon as the throughput is steady (see {@link SteadyState})
 */
public record Warmup(Duration longest, boolean automatic) {
  /** The bound of an automatic warm-up unless the user gives one. */
  public static final Duration AUTOMATIC_LONGEST = Duration.ofMinutes(1);

  /** Checks the length. */
  public Warmup {
    if (longest.isNegative()) {
      throw new IllegalArgumentException("a warm-up is not negative: " + longest);
    }
  }

  /** A warm-up of this length. */
  public static Warmup fixed(Duration length) {
    return new Warmup(length, false);
  }

  /** One that ends when the throughput is steady, but not later than this. */
  public static Warmup automatic(Duration longest) {
    return new Warmup(longest, true);
  }
}
