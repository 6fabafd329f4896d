package org.nelumbo.tpcc;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces TPC-C to the launcher. */
public final class TpccBenchmark implements Benchmark {
  @Override
  public String name() {
    return "tpcc";
  }

  @Override
  public String description() {
    return "TPC-C: order entry of a wholesaler, five transactions, twelve consistency conditions.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new TpccCommand();
  }
}
