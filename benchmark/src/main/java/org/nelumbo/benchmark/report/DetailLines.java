package org.nelumbo.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The lines below the table of a run: the load, failed attempts by cause, resource usage of the
 * process.
 */
public final class DetailLines {
  private DetailLines() {}

  /** Returns the lines, at least one. */
  public static List<String> of(RunResult result) {
    List<String> lines = new ArrayList<>();
    warmup(result.warmup(), lines);
    LoadResult load = result.load();
    if (load.open()) {
      lines.add(
          format(
              "open loop: %,d arrivals, %,d found no terminal free, %,d not started in time",
              load.offered(), load.startedLate(), load.notStarted()));
      Latency service = result.total().serviceMicros();
      lines.add(
          format(
              "service time (last attempt only): p50 %s us, p95 %s us, p99 %s us, max %s us",
              Numbers.grouped(service.p50()),
              Numbers.grouped(service.p95()),
              Numbers.grouped(service.p99()),
              Numbers.grouped(service.max())));
    }
    for (AbortCount cause : result.total().causes()) {
      lines.add(
          format(
              "%s (SQLState %s, code %d): %,d, %s",
              cause.name(),
              cause.sqlState(),
              cause.vendorCode(),
              cause.count(),
              cause.treatment().replace('_', ' ')));
    }
    if (result.total().backOffMillis() > 0) {
      lines.add(format("waited between attempts: %,.1f ms", result.total().backOffMillis()));
    }
    lines.add(usage(result.usage()));
    return lines;
  }

  private static void warmup(WarmupPhase warmup, List<String> lines) {
    if (warmup.automatic()) {
      lines.add(
          format(
              "warm-up: %.0f s, throughput %s",
              warmup.seconds(), warmup.steady() ? "steady" : "NOT STEADY"));
    }
  }

  private static String usage(UsageResult usage) {
    return format(
        "per transaction: %.2f us of processor time, %,.0f bytes allocated; collections: %d in"
            + " %d ms; compiler: %d ms; heap after: %.0f MB",
        usage.cpuMicrosPerTransaction(),
        usage.allocatedBytesPerTransaction(),
        usage.gcCount(),
        usage.gcMillis(),
        usage.compileMillis(),
        usage.heapAfterMegabytes());
  }

  private static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }
}
