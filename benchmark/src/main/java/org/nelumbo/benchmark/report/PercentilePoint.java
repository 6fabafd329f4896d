package org.nelumbo.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A point of a latency curve.
 *
 * @param percentile percentage of transactions, 0 to 100
 * @param micros their maximum latency in microseconds
 */
public record PercentilePoint(double percentile, double micros) {
  private static final double NANOS_PER_MICRO = 1e3;

  /** Points until the distance to 100 % has halved. */
  private static final int STEPS_PER_HALVING = 4;

  /**
   * Returns the curve of a histogram of nanoseconds, finer towards 100 %; empty if nothing was
   * measured.
   */
  public static List<PercentilePoint> curve(Histogram nanos) {
    List<PercentilePoint> points = new ArrayList<>();
    for (HistogramIterationValue value : nanos.percentiles(STEPS_PER_HALVING)) {
      points.add(
          new PercentilePoint(
              value.getPercentileLevelIteratedTo(), value.getValueIteratedTo() / NANOS_PER_MICRO));
    }
    return points;
  }
}
