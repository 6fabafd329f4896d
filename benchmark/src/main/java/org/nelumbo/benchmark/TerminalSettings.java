package org.nelumbo.benchmark;

/**
 * Settings of the terminals of a run that all benchmarks share.
 *
 * @param nativeApi true if the transactions are key operations instead of SQL
 * @param counters true if round trips, verbs and bytes are counted
 * @param seed seed of all random inputs
 */
public record TerminalSettings(boolean nativeApi, boolean counters, long seed) {}
