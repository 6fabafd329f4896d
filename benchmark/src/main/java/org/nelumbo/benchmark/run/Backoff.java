package org.nelumbo.benchmark.run;

import java.util.SplittableRandom;

/**
 * Randomised waiting between the attempts of one transaction. The wait is uniform up to a ceiling
 * that doubles with each conflict, so that terminals that collided do not collide again in step.
 */
final class Backoff {
  /** Approximate duration of a short in-memory transaction. */
  static final long FIRST_CEILING_NANOS = 50_000;

  /** A wait long enough to drain a queue of a hundred terminals. */
  static final long LAST_CEILING_NANOS = 10_000_000;

  private final SplittableRandom random;

  Backoff(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Returns the time to wait after this number of conflicts (1 or more) of one transaction. */
  long nanosAfter(int conflicts) {
    int doublings = Math.min(conflicts - 1, 20);
    long ceiling = Math.min(FIRST_CEILING_NANOS << doublings, LAST_CEILING_NANOS);
    return random.nextLong(ceiling) + 1;
  }
}
