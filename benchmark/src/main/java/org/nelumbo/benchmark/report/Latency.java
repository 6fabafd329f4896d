package org.nelumbo.benchmark.report;

import org.HdrHistogram.Histogram;

/**
 * Latencies in microseconds; all 0 if nothing was measured.
 *
 * @param p50 median
 * @param p90 90th percentile
 * @param p95 95th percentile
 * @param p99 99th percentile
 * @param p999 99.9th percentile
 * @param max maximum
 * @param mean mean
 */
public record Latency(
    double p50, double p90, double p95, double p99, double p999, double max, double mean) {
  private static final double NANOS_PER_MICRO = 1e3;

  /** Computes the latencies from a histogram of nanoseconds. */
  public static Latency ofNanos(Histogram nanos) {
    if (nanos.getTotalCount() == 0) {
      return new Latency(0, 0, 0, 0, 0, 0, 0);
    }
    return new Latency(
        micros(nanos, 50),
        micros(nanos, 90),
        micros(nanos, 95),
        micros(nanos, 99),
        micros(nanos, 99.9),
        nanos.getMaxValue() / NANOS_PER_MICRO,
        nanos.getMean() / NANOS_PER_MICRO);
  }

  private static double micros(Histogram nanos, double percentile) {
    return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
  }
}
