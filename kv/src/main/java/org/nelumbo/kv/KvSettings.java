package org.nelumbo.kv;

import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.benchmark.data.Keys;

/**
 * The settings of the key-value benchmark.
 *
 * @param keys how many there are
 * @param readPercent transactions of a hundred that read
 * @param uniform whether all keys are drawn equally often
 * @param theta exponent of the Zipfian distribution otherwise
 * @param terminals how they work
 */
record KvSettings(
    int keys, int readPercent, boolean uniform, double theta, TerminalSettings terminals) {
  Keys distribution() {
    return uniform ? Keys.uniform(keys) : Keys.zipfian(keys, theta);
  }
}
