package org.nelumbo.benchmark.micro;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces the micro-benchmarks to the launcher. */
public final class MicroBenchmark implements Benchmark {
  @Override
  public String name() {
    return "micro";
  }

  @Override
  public String description() {
    return "Micro-benchmarks of single structures with JMH.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new MicroCommand();
  }
}
