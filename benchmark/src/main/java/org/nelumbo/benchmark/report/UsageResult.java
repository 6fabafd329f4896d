package org.nelumbo.benchmark.report;

import org.nelumbo.benchmark.run.ProcessUsage;

/**
 * The resources that this process used within the measured time. They include an embedded database,
 * but only the driver of a server.
 *
 * @param transactions transactions finished in that time
 * @param cpuMicrosPerTransaction processor time of all threads
 * @param allocatedBytesPerTransaction bytes allocated by all threads
 * @param gcCount number of garbage collections
 * @param gcMillis time of garbage collections
 * @param compileMillis time of the just-in-time compiler; a long time shows that the warm-up was
 *     too short
 * @param heapAfterMegabytes heap in use after the run and a full collection
 * @param residentMegabytes resident memory of the process after the run, as the system counts it; 0
 *     if unknown
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

  /**
   * Computes the result from the usage between the begin and the end of the measured time, and the
   * current memory.
   */
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
