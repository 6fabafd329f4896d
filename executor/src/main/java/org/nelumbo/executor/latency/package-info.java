/**
 * How long things take: histograms that cost an atomic addition and no memory for each value, read
 * while they are written. {@link org.nelumbo.executor.latency.LatencyHistogram} counts, {@link
 * org.nelumbo.executor.latency.TimedChannel} measures round trips. Thread-safe; depends on no other
 * package of the engine.
 */
package org.nelumbo.executor.latency;
