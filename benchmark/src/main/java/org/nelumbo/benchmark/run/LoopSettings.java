package org.nelumbo.benchmark.run;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a loop.
 *
 * @param terminals number of threads, at least 1
 * @param warmup time before anything counts
 * @param duration measured time
 * @param rate the load offered by an open loop; empty for a closed loop
 * @param retriesMax how often one transaction is tried again after conflicts before it is given up
 * @param grace how long terminals may take to finish their last transaction
 * @param seed of the back-off times and arrivals
 */
public record LoopSettings(
    int terminals,
    Warmup warmup,
    Duration duration,
    Optional<OfferedRate> rate,
    int retriesMax,
    Duration grace,
    long seed) {
  /** Checks the numbers. */
  public LoopSettings {
    if (terminals < 1 || retriesMax < 0 || !duration.isPositive()) {
      throw new IllegalArgumentException(
          "terminals and duration must be positive, retries not negative");
    }
  }
}
