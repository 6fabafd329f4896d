package org.nelumbo.queries;

import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;

/** Announces the query suites to the launcher. */
public final class QueriesBenchmark implements Benchmark {
  @Override
  public String name() {
    return "queries";
  }

  @Override
  public String description() {
    return "Queries of TPC-H or the CH-benCHmark, compared on several databases.";
  }

  @Override
  public Callable<Integer> newCommand() {
    return new QueriesCommand();
  }
}
