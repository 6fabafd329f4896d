package org.nelumbo.smallbank;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces SmallBank to the launcher. */
public final class SmallBankBenchmark implements Benchmark {
  @Override
  public String name() {
    return "smallbank";
  }

  @Override
  public String description() {
    return "SmallBank: savings and checking accounts, six short transactions, a hot set, a ledger.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new SmallBankCommand();
  }
}
