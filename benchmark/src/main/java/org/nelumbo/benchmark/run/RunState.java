package org.nelumbo.benchmark.run;

import java.time.Duration;

/**
 * The current phase of a run.
 *
 * @param elapsed time since the terminals started
 * @param measuredFrom end of the warm-up since the start, or its latest possible end
 * @param end end of the run since the start
 * @param finished transactions finished by all terminals so far
 * @param timeline counts so far
 */
public record RunState(
    Duration elapsed, Duration measuredFrom, Duration end, long finished, Timeline timeline) {
  /** Returns true if the measured time has begun. */
  public boolean measuring() {
    return elapsed.compareTo(measuredFrom) >= 0;
  }
}
