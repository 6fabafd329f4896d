package org.nelumbo.benchmark.run;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The start times of the transactions of an open loop. All terminals share one sequence: a free
 * terminal takes the next arrival, so that a slow transaction delays nothing except its own
 * terminal.
 *
 * <p>The sequence depends only on the seed, not on the terminals or the times at which they take
 * arrivals. With Poisson arrivals, each time determines the gap to the next one. Needs no lock and
 * allocates nothing.
 */
final class ArrivalTimes {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The value 2^-53, which turns 53 random bits into a fraction below 1. */
  private static final double FRACTION = 0x1.0p-53;

  private final double meanGapNanos;
  private final boolean poisson;
  private final long seed;

  /** Time of the next arrival (Poisson), or its number (constant). */
  private final AtomicLong next = new AtomicLong();

  ArrivalTimes(OfferedRate rate, long seed) {
    this.meanGapNanos = NANOS_PER_SECOND / rate.perSecond();
    this.poisson = rate.arrivals() == Arrivals.POISSON;
    this.seed = mix(seed);
  }

  /** Takes the next arrival; returns its time in nanoseconds since the start of the loop. */
  long take() {
    if (!poisson) {
      return Math.round(next.getAndIncrement() * meanGapNanos);
    }
    while (true) {
      long time = next.get();
      if (next.compareAndSet(time, time + gapAfter(time))) {
        return time;
      }
    }
  }

  /** Returns an exponentially distributed gap of at least 1. */
  private long gapAfter(long time) {
    double fraction = (mix(seed ^ time) >>> 11) * FRACTION; // 0 to just below 1
    return Math.max(1, Math.round(-Math.log(1 - fraction) * meanGapNanos));
  }

  /**
   * A bijection of 64 bits that leaves no pattern (Stafford's variant 13, as in SplittableRandom).
   */
  private static long mix(long bits) {
    long z = bits + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
