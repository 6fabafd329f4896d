package org.nelumbo.kv;

import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.benchmark.data.Keys;

/**
 * The settings of the key-value benchmark.
 *
 * @param keys number of keys
 * @param readPercent percentage of transactions that read
 * @param uniform true if all keys are drawn equally often
 * @param theta exponent of the Zipfian distribution otherwise
 * @param terminals settings of the terminals
 */
record KvSettings(
    int keys, int readPercent, boolean uniform, double theta, TerminalSettings terminals) {
  Keys distribution() {
    return uniform ? Keys.uniform(keys) : Keys.zipfian(keys, theta);
  }
}
