package org.nelumbo.benchmark.report;

/**
 * The time before the measured time.
 *
 * @param seconds its length
 * @param automatic true if it was to end when the throughput is steady
 * @param steady true if the throughput was steady, or if this was not checked
 */
public record WarmupPhase(double seconds, boolean automatic, boolean steady) {}
