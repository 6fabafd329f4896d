package org.nelumbo.ycsb;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces YCSB to the launcher. */
public final class YcsbBenchmark implements Benchmark {
  @Override
  public String name() {
    return "ycsb";
  }

  @Override
  public String description() {
    return "YCSB: the core workloads A to F on records of ten fields of 100 bytes.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new YcsbCommand();
  }
}
