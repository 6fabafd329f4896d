package org.nelumbo.ycsb;

import org.nelumbo.benchmark.data.Keys;
import org.nelumbo.ycsb.terminal.CoreWorkload;

/**
 * The settings of YCSB.
 *
 * @param workload which of the core workloads
 * @param records how many are loaded
 * @param uniform whether all records are drawn equally often
 * @param theta exponent of the Zipfian distribution otherwise
 * @param scanLengthMax records of the longest scan
 * @param nativeApi whether the transactions are key operations instead of SQL
 * @param counters whether to count round trips, verbs and bytes
 * @param seed of all random inputs
 */
record YcsbSettings(
    CoreWorkload workload,
    int records,
    boolean uniform,
    double theta,
    int scanLengthMax,
    boolean nativeApi,
    boolean counters,
    long seed) {
  Keys distribution() {
    return uniform ? Keys.uniform(records) : Keys.zipfian(records, theta);
  }

  boolean latest() {
    return workload.latest() && !uniform;
  }
}
