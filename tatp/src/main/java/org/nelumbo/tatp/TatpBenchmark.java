package org.nelumbo.tatp;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces TATP to the launcher. */
public final class TatpBenchmark implements Benchmark {
  @Override
  public String name() {
    return "tatp";
  }

  @Override
  public String description() {
    return "TATP: a mobile network's subscriber register, seven short transactions, four of five"
        + " read.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new TatpCommand();
  }
}
