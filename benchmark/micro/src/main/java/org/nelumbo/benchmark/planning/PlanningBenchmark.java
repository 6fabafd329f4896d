package org.nelumbo.benchmark.planning;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces the profile of planning to the launcher. */
public final class PlanningBenchmark implements Benchmark {
  @Override
  public String name() {
    return "planning";
  }

  @Override
  public String description() {
    return "Measures the stages from the text of a statement to its first row.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new PlanningCommand();
  }
}
