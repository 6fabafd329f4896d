package org.nelumbo.benchmark.nativeapi;

import org.nelumbo.benchmark.cost.Cost;
import org.nelumbo.dm.pool.FabricCounters;

/** Converts the counters of the engine to those of the benchmarks. */
public final class NativeCosts {
  private NativeCosts() {}

  /** Returns the cost so far. The database must have been opened with counters. */
  public static Cost of(FabricCounters counters) {
    if (counters == null) {
      throw new IllegalStateException(
          "the database does not count costs: open it with counters=true");
    }
    return new Cost(
        counters.roundTrips(),
        counters.reads(),
        counters.writes(),
        counters.compareAndSwaps(),
        counters.fetchAndAdds(),
        counters.bytesIn(),
        counters.bytesOut());
  }
}
