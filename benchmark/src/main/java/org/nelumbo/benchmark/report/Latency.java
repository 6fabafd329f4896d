package org.nelumbo.benchmark.report;

import org.HdrHistogram.Histogram;

/**
 * Latencies in microseconds; all 0 if nothing was measured.
 *
 * @param p50 median
 * @param p95 95th percentile
 * @param p99 99th percentile
 * @param max the longest
 * @param mean the average
 */
public record Latency(double p50, double p95, double p99, double max, double mean) {
  private static final double NANOS_PER_MICRO = 1e3;

  /** From a histogram of nanoseconds. */
  public static Latency ofNanos(Histogram nanos) {
    if (nanos.getTotalCount() == 0) {
      return new Latency(0, 0, 0, 0, 0);
    }
    return new Latency(
        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(95) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
        nanos.getMaxValue() / NANOS_PER_MICRO,
        nanos.getMean() / NANOS_PER_MICRO);
  }
}
