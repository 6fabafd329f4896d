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
    return "TATP: subscribers of a mobile network, seven transactions, four of five read-only.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new TatpCommand();
  }
}
