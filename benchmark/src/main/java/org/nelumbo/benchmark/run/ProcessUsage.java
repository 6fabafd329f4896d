package org.nelumbo.benchmark.run;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * The resources that this process has used up to an instant, or between two instants. They include
 * an embedded database, but only the driver of a server.
 *
 * @param transactions transactions finished by all terminals
 * @param cpuNanos processor time of all threads
 * @param allocatedBytes bytes allocated by all threads
 * @param gcCount number of garbage collections
 * @param gcMillis time of garbage collections
 * @param compileMillis time of the just-in-time compiler
 */
public record ProcessUsage(
    long transactions,
    long cpuNanos,
    long allocatedBytes,
    long gcCount,
    long gcMillis,
    long compileMillis) {

  /** Reads the current usage. */
  static ProcessUsage now(long transactions) {
    long count = 0;
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      count += Math.max(0, collector.getCollectionCount());
      millis += Math.max(0, collector.getCollectionTime());
    }
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return new ProcessUsage(
        transactions,
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime(),
        ManagementFactory.getPlatformMXBean(ThreadMXBean.class).getTotalThreadAllocatedBytes(),
        count,
        millis,
        compiler == null ? 0 : compiler.getTotalCompilationTime());
  }

  ProcessUsage plus(ProcessUsage other) {
    return new ProcessUsage(
        transactions + other.transactions,
        cpuNanos + other.cpuNanos,
        allocatedBytes + other.allocatedBytes,
        gcCount + other.gcCount,
        gcMillis + other.gcMillis,
        compileMillis + other.compileMillis);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(transactions);
    out.writeLong(cpuNanos);
    out.writeLong(allocatedBytes);
    out.writeLong(gcCount);
    out.writeLong(gcMillis);
    out.writeLong(compileMillis);
  }

  static ProcessUsage read(DataInputStream in) throws IOException {
    return new ProcessUsage(
        in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
  }

  ProcessUsage since(ProcessUsage before) {
    return new ProcessUsage(
        transactions - before.transactions,
        cpuNanos - before.cpuNanos,
        allocatedBytes - before.allocatedBytes,
        gcCount - before.gcCount,
        gcMillis - before.gcMillis,
        compileMillis - before.compileMillis);
  }
}
