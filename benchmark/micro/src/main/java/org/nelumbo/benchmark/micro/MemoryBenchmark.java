package org.nelumbo.benchmark.micro;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces the measurement of memory to the launcher. */
public final class MemoryBenchmark implements Benchmark {
  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String description() {
    return "Prints how much pool memory a row uses, by structure.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new MemoryCommand();
  }
}
