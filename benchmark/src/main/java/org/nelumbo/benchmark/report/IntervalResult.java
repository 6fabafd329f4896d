package org.nelumbo.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.run.Interval;
import org.nelumbo.benchmark.run.Timeline;

/**
 * The transactions that ended within one interval of a run, as reported.
 *
 * @param second when it begins, since the terminals started
 * @param committed transactions
 * @param rolledBack because the benchmark says so
 * @param aborts conflicts of the transactions that ended here
 * @param unknown transactions that may or may not have committed
 * @param latencyMicros of the transactions that ended here
 */
public record IntervalResult(
    double second,
    long committed,
    long rolledBack,
    long aborts,
    long unknown,
    Latency latencyMicros) {
  private static final double MILLIS_PER_SECOND = 1e3;

  /** All intervals of a run, in order. */
  static List<IntervalResult> of(Timeline timeline) {
    List<IntervalResult> results = new ArrayList<>();
    Interval interval = new Interval();
    for (int i = 0; timeline.read(i, interval); i++) {
      results.add(
          new IntervalResult(
              i * (timeline.width().toMillis() / MILLIS_PER_SECOND),
              interval.committed(),
              interval.rolledBack(),
              interval.aborts(),
              interval.unknown(),
              Latency.ofNanos(interval.latencyNanos())));
    }
    return results;
  }
}
