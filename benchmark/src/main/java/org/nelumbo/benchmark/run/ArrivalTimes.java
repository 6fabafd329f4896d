package org.nelumbo.benchmark.run;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The times at which the transactions of an open loop are to start. One sequence feeds all
 * terminals: who is free takes the next arrival, so that a slow transaction holds up nothing but
 * its own terminal.
 *
 * <p>The sequence depends on the seed alone, not on who takes from it or when. With Poisson
 * arrivals each time decides the gap to the next one; no lock, no garbage.
 */
final class ArrivalTimes {
  private static final double NANOS_PER_SECOND = 1e9;

  /** 2^-53: turns 53 random bits into a fraction below 1. */
  private static final double FRACTION = 0x1.0p-53;

  private final double meanGapNanos;
  private final boolean poisson;
  private final long seed;

  /** Poisson: the time of the next arrival. Constant: its number. */
  private final AtomicLong next = new AtomicLong();

  ArrivalTimes(OfferedRate rate, long seed) {
    this.meanGapNanos = NANOS_PER_SECOND / rate.perSecond();
    this.poisson = rate.arrivals() == Arrivals.POISSON;
    this.seed = mix(seed);
  }

  /** Takes the next arrival: its time in nanoseconds since the start of the loop. */
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

  /** Exponentially distributed, at least 1. */
  private long gapAfter(long time) {
    double fraction = (mix(seed ^ time) >>> 11) * FRACTION; // 0 to just below 1
    return Math.max(1, Math.round(-Math.log(1 - fraction) * meanGapNanos));
  }

  /** A bijection of 64 bits that leaves no pattern (Stafford's variant 13, as SplittableRandom). */
  private static long mix(long bits) {
    long z = bits + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
