package org.nelumbo.benchmark.engine;

import org.nelumbo.benchmark.cost.Cost;
import org.nelumbo.dm.fabric.FabricCounters;

/** Turns the engine's counters into those of the benchmarks. */
public final class EngineCosts {
  private EngineCosts() {}

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
