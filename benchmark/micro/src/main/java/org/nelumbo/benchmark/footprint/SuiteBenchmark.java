package org.nelumbo.benchmark.footprint;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces the measurement of a test suite's pattern to the launcher. */
public final class SuiteBenchmark implements Benchmark {
  @Override
  public String name() {
    return "suite";
  }

  @Override
  public String description() {
    return "Opens, uses and closes many small databases, as a test suite does.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new SuiteCommand();
  }
}
