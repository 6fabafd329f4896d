package org.nelumbo.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.run.Interval;
import org.nelumbo.benchmark.run.Timeline;

/**
 * The transactions that ended within one interval of a run, as reported.
 *
 * @param second begin of the interval, in seconds since the terminals started
 * @param committed number of committed transactions
 * @param rolledBack transactions rolled back as the benchmark demands
 * @param aborts conflicts of the transactions that ended in this interval
 * @param unknown transactions that may or may not have committed
 * @param latencyMicros latencies of the transactions that ended in this interval
 */
public record IntervalResult(
    double second,
    long committed,
    long rolledBack,
    long aborts,
    long unknown,
    Latency latencyMicros) {
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Returns all intervals of a run, in order. */
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
