package org.nelumbo.benchmark.run;

import java.time.Duration;

/**
 * The warm-up: the time in which nothing is counted.
 *
 * @param longest length of the warm-up, or its upper bound if it is automatic
 * @param automatic true if it ends as soon as the throughput is steady (see {@link SteadyState})
 */
public record Warmup(Duration longest, boolean automatic) {
  /** Upper bound of an automatic warm-up unless the user gives one. */
  public static final Duration AUTOMATIC_LONGEST = Duration.ofMinutes(1);

  public Warmup {
    if (longest.isNegative()) {
      throw new IllegalArgumentException("a warm-up must not be negative: " + longest);
    }
  }

  /** Creates a warm-up of this length. */
  public static Warmup fixed(Duration length) {
    return new Warmup(length, false);
  }

  /** Creates a warm-up that ends when the throughput is steady, but not later than this bound. */
  public static Warmup automatic(Duration longest) {
    return new Warmup(longest, true);
  }
}
