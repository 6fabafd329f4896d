package org.nelumbo.benchmark;

/**
 * Settings of the terminals of a run that all benchmarks share.
 *
 * @param nativeApi whether the transactions are key operations instead of SQL
 * @param counters whether to count round trips, verbs and bytes
 * @param seed of all random inputs
 */
public record TerminalSettings(boolean nativeApi, boolean counters, long seed) {}
