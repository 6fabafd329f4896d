package org.nelumbo.kv;

import org.nelumbo.benchmark.data.Keys;

/**
 * The settings of the key-value benchmark.
 *
 * @param keys how many there are
 * @param readPercent transactions of a hundred that read
 * @param uniform whether all keys are drawn equally often
 * @param theta exponent of the Zipfian distribution otherwise
 * @param nativeApi whether the transactions are key operations instead of SQL
 * @param counters whether to count round trips, verbs and bytes
 * @param seed of all random inputs
 */
record KvSettings(
    int keys,
    int readPercent,
    boolean uniform,
    double theta,
    boolean nativeApi,
    boolean counters,
    long seed) {
  Keys distribution() {
    return uniform ? Keys.uniform(keys) : Keys.zipfian(keys, theta);
  }
}
