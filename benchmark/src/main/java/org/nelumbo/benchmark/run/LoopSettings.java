package org.nelumbo.benchmark.run;

import java.time.Duration;

/**
 * How a closed loop runs.
 *
 * @param terminals number of threads and connections, at least 1
 * @param warmup time before anything counts
 * @param duration measured time
 * @param retriesMax how often one transaction is tried again after conflicts before it is given up
 * @param grace how long terminals may take to finish their last transaction
 * @param seed of the back-off times
 */
public record LoopSettings(
    int terminals, Duration warmup, Duration duration, int retriesMax, Duration grace, long seed) {
  /** Checks the numbers. */
  public LoopSettings {
    if (terminals < 1 || retriesMax < 0 || warmup.isNegative() || !duration.isPositive()) {
      throw new IllegalArgumentException(
          "terminals and duration must be positive, warm-up and retries not negative");
    }
  }
}
