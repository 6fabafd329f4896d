package org.nelumbo.kv;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces the key-value benchmark to the launcher. */
public final class KvBenchmark implements Benchmark {
  @Override
  public String name() {
    return "kv";
  }

  @Override
  public String description() {
    return "KV: reads and updates of single rows of 8 + 40 bytes, uniform or skewed (LOTUS 8.2).";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new KvCommand();
  }
}
