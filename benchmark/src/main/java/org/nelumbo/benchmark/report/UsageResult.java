package org.nelumbo.benchmark.report;

import org.nelumbo.benchmark.run.ProcessUsage;

/**
 * The resources that this process used within the measured time. An embedded database is in it; of
 * a server only the driver is.
 *
 * @param transactions finished in that time
 * @param cpuMicrosPerTransaction processor time of all threads
 * @param allocatedBytesPerTransaction garbage of all threads
 * @param gcCount collections
 * @param gcMillis time of collections
 * @param compileMillis time the just-in-time compiler was busy: much of it says that the warm-up
 *     was too short
 * @param heapAfterMegabytes heap in use after the run and a full collection
 * @param residentMegabytes memory of the process after the run, as the system counts it; 0 if
 *     unknown
 */
public record UsageResult(
    long transactions,
    double cpuMicrosPerTransaction,
    double allocatedBytesPerTransaction,
    long gcCount,
    long gcMillis,
    long compileMillis,
    double heapAfterMegabytes,
    double residentMegabytes) {
  private static final double NANOS_PER_MICRO = 1e3;

  /** From what was read at the borders of the measured time, and now. */
  static UsageResult of(ProcessUsage usage, double heapAfterMegabytes, double residentMegabytes) {
    double count = Math.max(1, usage.transactions());
    return new UsageResult(
        usage.transactions(),
        usage.cpuNanos() / NANOS_PER_MICRO / count,
        usage.allocatedBytes() / count,
        usage.gcCount(),
        usage.gcMillis(),
        usage.compileMillis(),
        heapAfterMegabytes,
        residentMegabytes);
  }
}
