package org.nelumbo.benchmark.run;

/**
 * The load an open loop offers, whatever the database makes of it.
 *
 * @param perSecond transactions a second, more than 0
 * @param arrivals how they are spread
 */
public record OfferedRate(double perSecond, Arrivals arrivals) {
  /** The most a schedule in nanoseconds can tell apart. */
  public static final double PER_SECOND_MAX = 1e8;

  /** Checks the rate. */
  public OfferedRate {
    if (!(perSecond > 0 && perSecond <= PER_SECOND_MAX)) {
      throw new IllegalArgumentException("a rate is more than 0 and at most 1e8: " + perSecond);
    }
  }
}
