package org.nelumbo.benchmark.report;

import java.util.List;

/** The table at the end of a run, with one line per transaction type. */
public final class ResultTable {
  private ResultTable() {}

  /** Returns the lines of the table. */
  public static List<String> lines(RunResult result) {
    TextTable table =
        new TextTable(
            "transaction",
            "committed",
            "per second",
            "p50 us",
            "p95 us",
            "p99 us",
            "max us",
            "rolled back",
            "aborts",
            "retries",
            "given up",
            "unknown");
    for (TypeResult type : result.types()) {
      table.row(cells(type, result.measuredSeconds()));
    }
    table.row(cells(result.total(), result.measuredSeconds()));
    return table.lines();
  }

  private static List<String> cells(TypeResult type, double seconds) {
    return List.of(
        type.name(),
        Numbers.grouped(type.committed()),
        Numbers.grouped(type.committed() / seconds),
        Numbers.grouped(type.latencyMicros().p50()),
        Numbers.grouped(type.latencyMicros().p95()),
        Numbers.grouped(type.latencyMicros().p99()),
        Numbers.grouped(type.latencyMicros().max()),
        Numbers.grouped(type.rolledBack()),
        Numbers.grouped(type.aborts()),
        Numbers.grouped(type.retries()),
        Numbers.grouped(type.gaveUp()),
        Numbers.grouped(type.unknown()));
  }
}
