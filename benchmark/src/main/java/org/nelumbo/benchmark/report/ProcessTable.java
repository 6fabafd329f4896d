package org.nelumbo.benchmark.report;

import java.util.List;
import java.util.Locale;

/** The table of the processes of a run, with one line for each. */
public final class ProcessTable {
  private ProcessTable() {}

  /** Returns the lines of the table, or no lines if there was one process. */
  public static List<String> lines(RunResult result) {
    if (result.processes().isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable(
            "process",
            "terminals",
            "committed",
            "per second",
            "p50 us",
            "p99 us",
            "aborts",
            "retries",
            "given up",
            "unknown",
            "remote locks");
    for (ProcessResult each : result.processes()) {
      table.row(
          List.of(
              Integer.toString(each.number()),
              Integer.toString(each.terminals()),
              Numbers.grouped(each.committed()),
              Numbers.grouped(each.committedPerSecond()),
              Numbers.grouped(each.latencyMicros().p50()),
              Numbers.grouped(each.latencyMicros().p99()),
              Numbers.grouped(each.aborts()),
              Numbers.grouped(each.retries()),
              Numbers.grouped(each.gaveUp()),
              Numbers.grouped(each.unknown()),
              String.format(Locale.ROOT, "%.1f %%", each.remoteLocksPercent())));
    }
    return table.lines();
  }
}
