package org.nelumbo.benchmark.run;

import java.time.Duration;

/**
 * The phase that a run is in.
 *
 * @param elapsed since the terminals started
 * @param measuredFrom when the warm-up ends, or will end at the latest, since the start
 * @param end of the run, since the start
 * @param finished transactions finished by all terminals so far
 * @param timeline what has been counted so far
 */
public record RunState(
    Duration elapsed, Duration measuredFrom, Duration end, long finished, Timeline timeline) {
  /** Whether transactions count now. */
  public boolean measuring() {
    return elapsed.compareTo(measuredFrom) >= 0;
  }
}
