package org.nelumbo.benchmark;

/**
 * How the terminals of a run work, whatever the benchmark.
 *
 * @param nativeApi whether the transactions are key operations instead of SQL
 * @param counters whether to count round trips, verbs and bytes
 * @param seed of all random inputs
 */
public record TerminalSettings(boolean nativeApi, boolean counters, long seed) {}
