package org.nelumbo.benchmark.report;

/**
 * The time before anything counted.
 *
 * @param seconds its length
 * @param automatic whether it was to end when the throughput is steady
 * @param steady whether it was; true if nobody looked
 */
public record WarmupPhase(double seconds, boolean automatic, boolean steady) {}
