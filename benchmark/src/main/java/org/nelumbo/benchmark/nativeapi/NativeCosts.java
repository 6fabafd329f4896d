package org.nelumbo.benchmark.nativeapi;

import org.nelumbo.benchmark.cost.Cost;
import org.nelumbo.dm.pool.FabricCounters;

/** Turns the engine's counters into those of the benchmarks. */
public final class NativeCosts {
  private NativeCosts() {}

  /** The cost so far; the session must have been opened to count it. */
  public static Cost of(FabricCounters counters) {
    if (counters == null) {
      throw new IllegalStateException("the database does not count: open it with counters=true");
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
