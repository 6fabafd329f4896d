package org.nelumbo.ycsb;

import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.benchmark.data.Keys;
import org.nelumbo.ycsb.terminal.CoreWorkload;

/**
 * The settings of YCSB.
 *
 * @param workload one of the core workloads
 * @param records number of loaded records
 * @param uniform true if all records are drawn equally often
 * @param theta exponent of the Zipfian distribution otherwise
 * @param scanLengthMax number of records of the longest scan
 * @param terminals settings of the terminals
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
