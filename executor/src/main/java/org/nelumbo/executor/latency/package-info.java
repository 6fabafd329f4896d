/**
 * Latency measurement: histograms that cost an atomic addition and no memory for each value, and
 * can be read while they are written. {@link org.nelumbo.executor.latency.LatencyHistogram} counts
 * durations, {@link org.nelumbo.executor.latency.TimedChannel} measures round trips. Thread-safe;
 * the package depends on no other package of the executor.
 */
package org.nelumbo.executor.latency;
