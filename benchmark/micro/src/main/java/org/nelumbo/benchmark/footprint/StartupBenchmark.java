package org.nelumbo.benchmark.footprint;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces the measurement of start-up to the launcher. */
public final class StartupBenchmark implements Benchmark {
  @Override
  public String name() {
    return "startup";
  }

  @Override
  public String description() {
    return "Measures the time from the start of Java to the first row, compared with others.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new StartupCommand();
  }
}
