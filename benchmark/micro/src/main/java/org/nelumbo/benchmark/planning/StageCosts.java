package org.nelumbo.benchmark.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.nelumbo.planner.frontend.PlanTimes;

/** The costs of the stages of statements in several runs, in one unit. */
final class StageCosts {
  private static final int STAGES = PlanTimes.Stage.values().length;

  /** Costs of each run by number of the statement. The last cost is that of the first row. */
  private final Map<Integer, List<long[]>> costs = new TreeMap<>();

  private int measured;

  /** Starts a run. */
  void begin() {
    measured = 0;
  }

  /**
   * Adds the costs of the next planned statement of the run.
   *
   * @param stages costs of the stages
   * @param firstRow cost from the text to the first row, or to the end if there is none; negative
   *     if it is unknown
   */
  void add(Map<PlanTimes.Stage, Long> stages, long firstRow) {
    long[] all = new long[STAGES + 1];
    stages.forEach((stage, cost) -> all[stage.ordinal()] = cost);
    all[STAGES] = firstRow;
    costs.computeIfAbsent(measured++, _ -> new ArrayList<>()).add(all);
  }

  /** Returns the number of planned statements. */
  int statements() {
    return costs.size();
  }

  /** Returns the mean over the statements of each one's median over the runs. */
  double of(PlanTimes.Stage stage) {
    return mean(stage.ordinal());
  }

  /** Returns the same for the first row, without the statements whose cost is unknown. */
  double ofFirstRow() {
    return mean(STAGES);
  }

  private double mean(int column) {
    return costs.values().stream()
        .mapToLong(runs -> median(runs, column))
        .filter(cost -> cost >= 0)
        .average()
        .orElse(0);
  }

  private static long median(List<long[]> runs, int column) {
    long[] sorted = runs.stream().mapToLong(run -> run[column]).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
