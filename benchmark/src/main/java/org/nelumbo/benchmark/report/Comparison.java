package org.nelumbo.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * A comparison of several databases, each measured once per round. It shows for each database the
 * median over the rounds, the spread (lowest to highest), and the ratio of the first database's
 * median to its own.
 */
public final class Comparison {
  private static final double PERCENT = 100;

  private final Map<String, List<RunResult>> runsByName = new LinkedHashMap<>();

  /** Adds a run of a database. The first database added is the reference of the ratios. */
  public void add(String name, RunResult run) {
    runsByName.computeIfAbsent(name, _ -> new ArrayList<>()).add(run);
  }

  /** Returns true if there is nothing to compare. */
  public boolean isEmpty() {
    return runsByName.values().stream().allMatch(List::isEmpty);
  }

  /** Returns the table and one {@code COMPARE} line for each database. */
  public List<String> lines() {
    TextTable table =
        new TextTable(
            "database",
            "tps median",
            "lowest",
            "highest",
            "first/this",
            "p99 us",
            "aborted %",
            "consistent");
    List<String> scriptLines = new ArrayList<>();
    double first = medianRate(runsByName.values().iterator().next());
    runsByName.forEach(
        (name, runs) -> {
          table.row(cells(name, runs, first));
          scriptLines.add(scriptLine(runs, first));
        });
    List<String> lines = new ArrayList<>(table.lines());
    runsByName.forEach((name, runs) -> lines.add(name + ": " + isolation(runs.getFirst())));
    lines.addAll(scriptLines);
    return lines;
  }

  private static List<String> cells(String name, List<RunResult> runs, double first) {
    double[] rates = rates(runs);
    return List.of(
        name,
        Numbers.grouped(medianRate(runs)),
        Numbers.grouped(rates[0]),
        Numbers.grouped(rates[rates.length - 1]),
        Numbers.of(first / medianRate(runs)),
        Numbers.grouped(medianP99(runs)),
        Numbers.of(abortedPercent(runs)),
        consistent(runs));
  }

  private static String scriptLine(List<RunResult> runs, double first) {
    double[] rates = rates(runs);
    return new StringJoiner(" ")
        .add("COMPARE")
        .add("benchmark=" + runs.getFirst().benchmark())
        .add("url=" + runs.getFirst().database().url())
        .add("rounds=" + runs.size())
        .add("tps_median=" + Numbers.of(medianRate(runs)))
        .add("tps_min=" + Numbers.of(rates[0]))
        .add("tps_max=" + Numbers.of(rates[rates.length - 1]))
        .add("first_over_this=" + Numbers.of(first / medianRate(runs)))
        .add("consistent=" + consistent(runs))
        .add("api=" + runs.getFirst().database().api())
        .add("terminals=" + runs.getFirst().terminals())
        .add("aborted_percent=" + Numbers.of(abortedPercent(runs)))
        .toString();
  }

  private static String isolation(RunResult run) {
    RunResult.Target target = run.database();
    return target.product()
        + " "
        + target.version()
        + ", "
        + target.isolation()
        + " is "
        + target.meaning();
  }

  private static String consistent(List<RunResult> runs) {
    List<String> all = runs.stream().map(RunResult::consistent).distinct().toList();
    return all.size() == 1 ? all.getFirst() : "false";
  }

  private static double[] rates(List<RunResult> runs) {
    return runs.stream().mapToDouble(RunResult::committedPerSecond).sorted().toArray();
  }

  private static double medianRate(List<RunResult> runs) {
    return median(rates(runs));
  }

  private static double medianP99(List<RunResult> runs) {
    return median(
        runs.stream().mapToDouble(r -> r.total().latencyMicros().p99()).sorted().toArray());
  }

  private static double abortedPercent(List<RunResult> runs) {
    double aborts = runs.stream().mapToLong(r -> r.total().aborts()).sum();
    double ended =
        runs.stream().mapToLong(r -> r.total().committed() + r.total().rolledBack()).sum();
    return aborts == 0 ? 0 : PERCENT * aborts / (aborts + ended);
  }

  static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
