package org.nelumbo.benchmark.run;

/**
 * The load that an open loop offers, independent of the database.
 *
 * @param perSecond transactions per second, more than 0
 * @param arrivals distribution of the arrivals
 */
public record OfferedRate(double perSecond, Arrivals arrivals) {
  /** The maximum rate at which a schedule in nanoseconds can separate arrivals. */
  public static final double PER_SECOND_MAX = 1e8;

  public OfferedRate {
    if (!(perSecond > 0 && perSecond <= PER_SECOND_MAX)) {
      throw new IllegalArgumentException(
          "a rate must be more than 0 and at most 1e8: " + perSecond);
    }
  }
}
