package org.nelumbo.ycsb;

import org.nelumbo.benchmark.TerminalSettings;
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
 * @param terminals how they work
 */
record YcsbSettings(
    CoreWorkload workload,
    int records,
    boolean uniform,
    double theta,
    int scanLengthMax,
    TerminalSettings terminals) {
  Keys distribution() {
    return uniform ? Keys.uniform(records) : Keys.zipfian(records, theta);
  }

  boolean latest() {
    return workload.latest() && !uniform;
  }
}
